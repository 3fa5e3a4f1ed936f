"""Chapter 7: workstations and homes."""
