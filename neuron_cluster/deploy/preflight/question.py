"""What every question to the account has in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from neuron_cluster.deploy.destination import Destination
from neuron_cluster.findings.finding import Location
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.vcpu_use import VcpuUse

KeyPath = tuple[str | int, ...]


class Asked(Struct, frozen=True):
    """The environment, the account that it is to be built in, and what questions need beside the plan."""

    plan: ClusterPlan
    destination: Destination
    locate: Callable[[KeyPath], Location]
    """Where a key stands in the environment file."""
    vcpus: tuple[VcpuUse, ...] = ()
    qualifier: str = ""
    """Of the CDK bootstrap that the app expects."""


def in_all_words(parts: Iterable[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    words: Sequence[str] = list(parts)
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
