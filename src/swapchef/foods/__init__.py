"""What a word means: names, kinds and sameness of foods, and what can be done to them."""
