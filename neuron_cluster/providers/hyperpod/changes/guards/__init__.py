"""Change guards of a HyperPod cluster."""
