"""Chapter 3: instances."""
