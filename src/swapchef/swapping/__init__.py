"""Which swap: candidates, facts, choice and answer."""
