"""The compile cache of a deployed environment: what is in it, who uses it, and what can go."""
