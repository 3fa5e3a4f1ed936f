"""The tag by which what belongs to an environment is found."""

ENVIRONMENT_TAG = "neuron-cluster:environment"
"""On every resource of its stacks, its instances and its AMIs; the value is the environment's name."""
