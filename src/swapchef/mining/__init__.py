"""From reviews to substitution data: what cooks say they used instead of what."""
