"""Stacks of Slurm on AWS PCS."""
