"""The environment with its derived defaults; rules and the plan read it."""
