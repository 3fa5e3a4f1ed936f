"""Slurm on AWS Parallel Computing Service (PCS)."""
