"""Slurm in `diff` and `deploy`."""
