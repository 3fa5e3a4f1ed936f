"""The Kubernetes version is raised one minor version at a time."""

from __future__ import annotations

from collections.abc import Iterator

from local_aws.cloudformation.values import Address
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.providers.eks.changes.access import CLUSTER


class KubernetesVersionSkipped(Guard):
    """The Kubernetes version goes up one minor version at a time, and never down (`eks.version`).

    EKS rejects any other update of the version, in the middle of the deploy, which then rolls back.
    """

    id = "E9012"
    key = ("eks", "version")
    source = "https://docs.aws.amazon.com/eks/latest/userguide/update-cluster.html"

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        for address in sorted(comparison.updated):
            if (found := _skipping(comparison, address)) is not None:
                yield found


def _skipping(comparison: Comparison, address: Address) -> Violation | None:
    if comparison.type_of(address) != CLUSTER:
        return None
    old, new = (str(stacks.properties(address).get("Version", "")) for stacks in (comparison.before, comparison.after))
    before, after = _numbers(old), _numbers(new)
    if before is None or after is None or old == new or is_next_minor_version(old, new):
        return None
    return Violation(
        address,
        f"the Kubernetes version is {old} and cannot change to {new}: EKS upgrades one minor version "
        "at a time, and never "
        "downgrades",
        f"deploy {before[0]}.{before[1] + 1} first" if after[1] > before[1] else f"write {old} or newer",
    )


def is_next_minor_version(old: str, new: str) -> bool:
    """Whether ``new`` is the minor version of Kubernetes after ``old``."""
    before, after = _numbers(old), _numbers(new)
    return before is not None and after is not None and after == (before[0], before[1] + 1)


def _numbers(version: str) -> tuple[int, int] | None:
    """Major and minor; none without a version, or with one that a token hides."""
    major, _, minor = version.partition(".")
    return (int(major), int(minor)) if major.isdecimal() and minor.isdecimal() else None
