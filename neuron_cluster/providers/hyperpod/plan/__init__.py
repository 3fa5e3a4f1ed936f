"""The plan of a HyperPod cluster."""
