"""The AMI of Slurm nodes: its plan, and what Slurm adds to the recipe, whichever provider runs it."""
