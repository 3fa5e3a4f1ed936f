"""Pages and tables for people, and the same content as JSON data."""
