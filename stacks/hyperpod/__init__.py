"""The stack of a HyperPod cluster."""
