from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.pcs.compute_node_group import instance_types
from neuron_cluster.template_rules.property_tree import at, text

MODES = {
    "ONDEMAND": ("on_demand",),
    "SPOT": ("spot",),
    "CAPACITY_BLOCK": ("capacity_block", "ultraserver_block"),
}
"""Purchase modes of the catalog, by name of PCS."""


class PurchaseOptionNotSupported(TemplateRule):
    """Each instance type of a compute node group has its purchase option (`PurchaseOption`).

    Where the catalog is not certain which ones a type has, it also lists the doubtful ones, and this rule accepts them.

    Without this check EC2 rejects every launch, and the group reports the error once a job or its minimum needs a node.
    """

    id = "E8960"
    operation = "pcs:CreateComputeNodeGroup"
    error_code = None
    source = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_InstanceTypeInfo.html (SupportedUsageClasses)"
    types = ("AWS::PCS::ComputeNodeGroup",)

    def check(self, context: TemplateContext) -> Violations:
        option = text(at(context.resource.properties, "PurchaseOption"))
        for name in instance_types(context.resource):
            row = context.catalog.instance_types.get(name)
            modes = row.purchase_modes if row is not None else None
            if option not in MODES or modes is None or {*MODES[option]} & {*modes}:
                continue
            possible = [each for each, of_option in MODES.items() if {*of_option} & {*modes}]
            yield Violation(
                "PurchaseOption",
                f"is {option}; the purchase options of {name} are {listed(possible)}",
                f"write PurchaseOption: {listed(possible, 'or')}, or another InstanceType",
            )
