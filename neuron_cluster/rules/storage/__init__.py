"""Chapter 4: what holds data."""
