"""Workloads: values for our own charts that fit a node group of an environment exactly, or the reasons why none do."""
