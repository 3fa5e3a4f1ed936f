"""A small model of the Kubernetes controllers that a workload meets; docs/rehearsal.md lists what it covers."""
