"""Stacks of an EKS cluster, and the constructs that only they have."""
