"""Upgrade from one Neuron SDK release to another: components, breaking_changes, rollout order, the edited file."""
