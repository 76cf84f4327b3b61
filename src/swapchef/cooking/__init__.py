"""Personalized inverse cooking: a photo, the ingredients seen in it, a swap, and the recipe that follows."""
