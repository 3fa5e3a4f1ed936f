"""Chapter 3: node groups (instance types, capacity, EFA, placement groups, volumes)."""
