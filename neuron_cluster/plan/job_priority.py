"""A priority class of jobs that a service makes in the Kubernetes cluster."""

from __future__ import annotations

from msgspec import Struct


class JobPriority(Struct, frozen=True):
    name: str
    """The value of the label ``kueue.x-k8s.io/priority-class``."""
    weight: int
    effect: str
