"""Rules that are true of Slurm, whichever provider runs it."""
