"""CloudFormation creates new groups before it deletes old ones: the cluster may be too small for both."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from local_aws.cloudformation.values import Address
from neuron_cluster.catalog.slurm import PcsSize
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.changes.resource_name import name_in
from neuron_cluster.changes.stack_set import StackSet
from neuron_cluster.findings.text import listed
from neuron_cluster.providers.pcs.changes.resource_kinds import CLUSTER, COMPUTE_NODE_GROUP
from neuron_cluster.providers.pcs.changes.source import SlurmChanges


class _Maximum(Struct, frozen=True):
    """``count.max`` of a group before and after the deploy; 0 where there is no such group."""

    address: Address
    old: int
    new: int
    is_replaced: bool

    @property
    def at_once(self) -> int:
        """The number of instances that PCS may count while the deploy runs."""
        return self.old + self.new if self.is_replaced else max(self.old, self.new)

    @property
    def growth(self) -> int:
        return self.new if self.is_replaced else max(0, self.new - self.old)


class SlurmGroupsExceedSizeAtOnce(Guard):
    """Old and new groups together are within the size of the cluster while a deploy runs (`slurm.size`).

    CloudFormation deletes old groups last, and PCS counts `count.max` of each group until it is deleted or has a lower
    one. It rejects what exceeds the size with a ServiceQuotaExceededException, and the deploy rolls back.
    """

    id = "E9066"
    source = "https://docs.aws.amazon.com/pcs/latest/APIReference/API_CreateCluster.html"

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        size, groups = _kept_size(comparison), list(_maxima(comparison))
        if size is None or sum(each.new for each in groups) > size.nodes:  # E9061, rule E2104
            return
        excess = sum(each.at_once for each in groups) - size.nodes
        growing = [each for each in groups if each.growth]
        if excess > 0 and growing:
            names = listed(name_in(comparison, each.address) for each in growing)
            yield Violation(
                growing[0].address,
                f"PCS would count {size.nodes + excess} instances, and size {size.name} allows {size.nodes}: {names} "
                "would be created or grow before others are deleted or shrink",
                _hint(names, excess, sum(each.growth - 1 for each in growing), size.nodes),
            )


def _hint(names: str, excess: int, most_lower: int, nodes: int) -> str:
    if excess <= most_lower:
        return (
            f"take two steps: 1. deploy the edit with a count.max that is lower by {excess} in {names}; "
            "2. raise count.max and deploy"
        )
    return (
        "take three steps: 1. undo the edit, lower count.max of groups and deploy; 2. deploy the edit with a count.max "
        f"with which old and new groups together have {nodes} instances at most; 3. raise count.max and deploy"
    )


def _kept_size(comparison: Comparison) -> PcsSize | None:
    """Size of the cluster that is deployed and stays; None without one."""
    kept = comparison.before.addresses() - {*comparison.removed, *comparison.replaced}
    clusters = [address for address in kept if comparison.type_of(address) == CLUSTER]
    names = {str(comparison.after.properties(address).get("Size")).lower() for address in clusters}
    return next((size for size in comparison.catalog.pcs_sizes if size.name in names), None)


def _maxima(comparison: Comparison) -> Iterator[_Maximum]:
    """Yields the maximum of every group; one whose maximum the templates do not have counts as 0."""
    before, after = comparison.before, comparison.after
    for address in sorted(before.addresses() | after.addresses()):
        if comparison.type_of(address) == COMPUTE_NODE_GROUP:
            is_removed = address in comparison.removed
            new = 0 if is_removed else _maximum(after, address)
            yield _Maximum(address, _maximum(before, address), new, address in comparison.replaced)


def _maximum(stacks: StackSet, address: Address) -> int:
    if address not in stacks.addresses():
        return 0
    return SlurmChanges().state(stacks, address).maximum or 0
