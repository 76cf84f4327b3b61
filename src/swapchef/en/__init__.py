"""English: its nouns, words, units and patterns of lines and steps; another language is another folder like this."""
