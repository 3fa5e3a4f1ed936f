"""Chapter 3: the machines."""
