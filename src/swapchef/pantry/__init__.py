"""What makes a suggestion usable: diets and allergens, how much, and the rewritten recipe."""
