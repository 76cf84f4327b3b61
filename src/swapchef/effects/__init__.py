"""What a swap changes: tastes, contents, techniques, and the reasons to give."""
