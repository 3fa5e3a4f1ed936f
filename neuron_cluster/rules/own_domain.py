"""The domain of the keys that this toolkit sets itself."""

from __future__ import annotations

OWN_DOMAIN = "neuron-cluster"
"""Prefix of its tags, and of its labels on nodes."""
