"""The section ``slurm`` of the environment file."""
