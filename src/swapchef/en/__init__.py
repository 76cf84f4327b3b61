"""English: its nouns, words, units and the patterns of lines and steps; another language is another folder like this."""
