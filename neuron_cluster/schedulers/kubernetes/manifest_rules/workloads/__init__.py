"""Workloads: selectors, restart policies, Job settings, autoscaling, disruption budgets."""
