"""Slurm, whichever provider runs its controller: jobs, node scripts, settings, users and pages of teams."""
