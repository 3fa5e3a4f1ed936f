"""Workloads: values of bundled charts that fit a node group of an environment, or the reasons why none does."""
