"""What members of a team need on a Slurm cluster."""
