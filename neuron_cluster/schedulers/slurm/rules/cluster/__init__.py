"""Slurm clusters: version, size, queues, settings."""
