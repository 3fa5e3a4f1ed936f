"""Rehearses a job of Slurm: its script, and one task on each of its nodes, as processes of this machine."""
