"""The environment as configuration of AWS ParallelCluster 3."""
