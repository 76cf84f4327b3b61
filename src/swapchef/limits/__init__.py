"""Whether a food may be eaten: diets, allergens and a cook's own wishes."""
