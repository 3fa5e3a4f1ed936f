from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.pcs.compute_node_group import instance_types


class InstanceTypesDifferInVcpus(TemplateRule):
    """The instance types of a compute node group have the same number of vCPUs (`InstanceConfigs`)."""

    id = "E8957"
    operation = "pcs:CreateComputeNodeGroup"
    error_code = "ValidationException"
    source = (
        "https://docs.aws.amazon.com/pcs/latest/userguide/working-with_cng_create.html (Create a compute node group)"
    )
    types = ("AWS::PCS::ComputeNodeGroup",)

    def check(self, context: TemplateContext) -> Violations:
        resource = context.resource
        rows = [
            row for name in instance_types(resource) if (row := context.catalog.instance_types.get(name)) is not None
        ]
        counts = {row.vcpus for row in rows if row.vcpus is not None}
        if len(counts) > 1:
            described = listed(f"{row.name} {row.vcpus}" for row in rows)
            yield Violation(
                "InstanceConfigs",
                f"has instance types with different numbers of vCPUs: {described}",
                "write one InstanceType, and a compute node group for each other one",
            )
