"""Tables of `plan` about a HyperPod cluster."""
