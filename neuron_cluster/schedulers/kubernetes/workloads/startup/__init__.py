"""How long a workload needs to start, and the time-outs that it meets."""
