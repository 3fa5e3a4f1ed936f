"""What holds between a workload and its pods: selectors, restarts, retries."""
