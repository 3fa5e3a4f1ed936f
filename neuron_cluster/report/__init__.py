"""Pages and tables for people, and the same as data."""
