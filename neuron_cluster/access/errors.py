"""Policies that the evaluator does not accept."""

from __future__ import annotations

from neuron_cluster.errors import ToolkitError


class PolicyError(ToolkitError):
    """A policy has an element, operator, variable or value that is not supported, which the message names."""
