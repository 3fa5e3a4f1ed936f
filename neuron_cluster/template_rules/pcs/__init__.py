"""AWS PCS: Slurm clusters, compute node groups and queues."""
