"""Chapter 3: compute (instance types, capacity, EFA, placement groups, volumes)."""
