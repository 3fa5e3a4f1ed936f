"""Compute node groups of instance types that differ."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.findings.text import listed
from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.pcs.compute_node_group import instance_types
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class InstanceTypesDifferInVcpus(ResourceRule):
    """The instance types of a compute node group have the same number of vCPUs (`InstanceConfigs`)."""

    id = "E8957"
    operation = "pcs:CreateComputeNodeGroup"
    error_code = "ValidationException"
    source = (
        "https://docs.aws.amazon.com/pcs/latest/userguide/working-with_cng_create.html (Create a compute node group)"
    )
    types = ("AWS::PCS::ComputeNodeGroup",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up
        rows = [row for name in instance_types(resource) if (row := catalog.instance_type(name)) is not None]
        counts = {row.vcpus for row in rows if row.vcpus is not None}
        if len(counts) > 1:
            described = listed(f"{row.name} {row.vcpus}" for row in rows)
            yield Violation(
                "InstanceConfigs",
                f"has instance types with different numbers of vCPUs: {described}",
                "write one InstanceType, and a compute node group for each other one",
            )
