"""Instance types that the catalog does not know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.findings.suggestions import did_you_mean
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class UnknownInstanceType(ConfigRule):
    """Every instance type has a row in the catalog.

    Network cards, devices, images and prices all come from that row.

    Without this check EC2 rejects the launch template's first use with InvalidParameterValue, and EKS reports a node
    group as CREATE_FAILED after the cluster has been built.
    """

    id = "E3001"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/errors-overview.html"
    references = ("eksctl-io/eksctl#5906",)

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        for group in environment.compute_groups:
            name = group.spec.instance_type
            if group.instance_type is None:
                near = [each for each in catalog.near_instance_types(name) if _can_be_launched(each, catalog)]
                yield Violation(
                    (*group.path, "instance_type"),
                    f"instance_type is {name}, which the catalog does not know",
                    f"{did_you_mean(near)}`neuron-cluster catalog instances` lists the types that this release knows",
                )


def _can_be_launched(name: str, catalog: Catalog) -> bool:
    row = catalog.instance_type(name)
    return row is not None and row.launchable
