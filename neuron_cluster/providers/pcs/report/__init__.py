"""Slurm in what `plan` prints."""
