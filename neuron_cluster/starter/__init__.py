"""`neuron-cluster init`: the repository in which a user keeps environment files."""
