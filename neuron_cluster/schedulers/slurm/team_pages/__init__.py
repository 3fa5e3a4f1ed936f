"""The pages of a team on a Slurm cluster."""
