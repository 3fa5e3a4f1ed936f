"""Another Kubernetes version while add-ons have none: EKS leaves them at the version of the day they were created."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.cluster import CLUSTER
from neuron_cluster.changes.guards.one_way import goes_up_by_one
from neuron_cluster.changes.guards.wording import listed, place
from neuron_cluster.changes.normal_form import Address
from neuron_cluster.changes.resource_name import name_in
from neuron_cluster.findings.finding import Finding

ADDON = "AWS::EKS::Addon"


def addon_refusals(comparison: Comparison) -> Iterator[Finding]:
    """E9020, once for a cluster whose version goes up."""
    for address in sorted(comparison.updated):
        if comparison.type_of(address) != CLUSTER:
            continue
        states = (comparison.before, comparison.after)
        old, new = (str(stacks.properties(address).get("Version", "")) for stacks in states)
        behind = sorted(_behind(comparison))
        if goes_up_by_one(old, new) and behind:  # of any other way E9012 is told alone
            yield Finding(
                "E9020",
                place(address),
                f"{name_in(comparison, address)} goes from Kubernetes {old} to {new}, and {listed(behind)} would stay "
                "at the version of the day of their creation: a managed add-on without a version is never updated",
                "run `neuron-cluster lock NAME`, which writes the versions for the new Kubernetes version into the "
                "lock, and deploy again",
            )


def _behind(comparison: Comparison) -> Iterator[str]:
    """Names of the add-ons that stay and have no version."""
    for address in comparison.after.addresses() & comparison.before.addresses():
        if address.stack not in comparison.gone_stacks and _is_addon(comparison, address):
            properties = comparison.after.properties(address)
            if "AddonVersion" not in properties:
                yield str(properties.get("AddonName", address.logical_id))


def _is_addon(comparison: Comparison, address: Address) -> bool:
    return bool(comparison.after.resource(address)["Type"] == ADDON)
