"""Chapter 1: addresses, zones, and the way out."""
