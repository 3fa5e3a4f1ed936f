"""The HyperPod cluster and its instance groups."""
