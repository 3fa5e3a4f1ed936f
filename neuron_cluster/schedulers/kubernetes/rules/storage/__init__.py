"""Chapter 4: storage as a cluster uses it."""
