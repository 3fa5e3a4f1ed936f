"""The environment with every default decided once; rules and the plan read it."""
