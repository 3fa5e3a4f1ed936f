"""Chapter 7: workstations and home volumes."""
