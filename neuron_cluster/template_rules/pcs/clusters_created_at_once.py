"""Clusters that PCS would create at the same time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.pcs.compute_node_group import CLUSTER
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class ClustersCreatedAtOnce(ResourceRule):
    """One PCS cluster is created at a time (`DependsOn`).

    PCS creates one cluster of an account in a Region at a time, CloudFormation all resources of a stack that do not
    depend on each other.
    """

    id = "E8959"
    operation = "pcs:CreateCluster"
    error_code = "ServiceQuotaExceededException"
    source = "boto/botocore 1.44.5: pcs CreateCluster"
    types = ("AWS::PCS::Cluster",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        for other in look_up.resources(CLUSTER, stack=resource.stack):
            if other is resource:
                return
            if not look_up.depends_on(resource, other.logical_id) and not look_up.depends_on(
                other, resource.logical_id
            ):
                yield Violation(
                    "",
                    f"is created at the same time as {other.logical_id}",
                    f"write DependsOn: {other.logical_id}, or use a stack for each cluster",
                )
                return
