"""Managed EKS add-ons that would stay at their version when the Kubernetes version is raised."""

from __future__ import annotations

from collections.abc import Iterator

from local_aws.cloudformation.values import Address
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.changes.resource_name import name_in
from neuron_cluster.findings.commands import Command
from neuron_cluster.findings.text import listed
from neuron_cluster.providers.eks.changes.access import CLUSTER
from neuron_cluster.providers.eks.changes.guards.kubernetes_version import is_next_minor_version

ADDON = "AWS::EKS::Addon"


class AddonsLeftBehind(Guard):
    """An upgrade of Kubernetes also upgrades the managed add-ons (`eks.version`).

    EKS chooses the default version of an add-on when it is created. Without a version in the template CloudFormation
    detects no change later: kube-proxy, the VPC CNI and CoreDNS would stay at the build of the first deploy for every
    later Kubernetes version, with its vulnerabilities. A lock has a version of each for the new Kubernetes version.
    """

    id = "E9020"
    key = ("eks", "version")
    source = "https://docs.aws.amazon.com/eks/latest/userguide/update-cluster.html"

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        """Once for a cluster whose version is raised."""
        for address in sorted(comparison.updated):
            if comparison.type_of(address) != CLUSTER:
                continue
            states = (comparison.before, comparison.after)
            old, new = (str(stacks.properties(address).get("Version", "")) for stacks in states)
            behind = sorted(_behind(comparison))
            if is_next_minor_version(old, new) and behind:  # any other change of the version is E9012
                yield Violation(
                    address,
                    f"{name_in(comparison, address)} changes from Kubernetes {old} to {new}, and "
                    f"{listed(behind)} would "
                    "stay at the version of the day of their creation: EKS updates no managed add-on without a version",
                    f"run `{Command.LOCK}`, which writes the versions for the new Kubernetes version into the "
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
