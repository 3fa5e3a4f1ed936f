"""Workloads: chart values that fit a node group of an environment, or the findings that prevent it."""
