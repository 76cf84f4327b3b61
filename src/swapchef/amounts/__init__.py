"""How much: measures and their conversion, what replaces how much, servings."""
