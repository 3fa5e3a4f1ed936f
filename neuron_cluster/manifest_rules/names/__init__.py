"""Names, labels, and what may stand only once."""
