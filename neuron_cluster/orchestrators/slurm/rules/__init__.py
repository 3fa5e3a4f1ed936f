"""Rules about `slurm`."""
