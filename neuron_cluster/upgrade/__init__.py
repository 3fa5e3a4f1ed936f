"""Upgrade to another Neuron SDK release: component versions, breaking changes, rollout order, the edited file."""
