"""The recipe rewritten: lines, title and steps with another food in them."""
