"""Kubernetes on this machine, without an environment of the toolkit: the model of its objects."""
