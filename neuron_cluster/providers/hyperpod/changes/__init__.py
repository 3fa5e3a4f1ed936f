"""Changes of a HyperPod cluster in `diff` and `deploy`."""
