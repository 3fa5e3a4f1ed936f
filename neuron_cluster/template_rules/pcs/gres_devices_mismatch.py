from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.pcs.compute_node_group import instance_types
from neuron_cluster.template_rules.pcs.generic_resources import GPU, records


class GresDevicesMismatch(TemplateRule):
    """The `gpu` record of a compute node group lists all Neuron devices of its instance type (`GresCustomSettings`).

    PCS compares the record with the setting `Gres` alone, not with the instance type.

    Without this check AWS reports no error. Slurm drains each node with INVALID_REG, or slurmd stops at a device file
    that does not exist.
    """

    id = "E8955"
    operation = "pcs:CreateComputeNodeGroup"
    error_code = None
    source = (
        "https://docs.aws.amazon.com/pcs/latest/userguide/gres-custom-settings.html; counts: "
        "catalog/data/instance_types"
    )
    types = ("AWS::PCS::ComputeNodeGroup",)

    def check(self, context: TemplateContext) -> Violations:
        rows = [context.catalog.instance_types.get(name) for name in instance_types(context.resource)]
        devices = {row.neuron_devices for row in rows if row is not None and row.chip is not None}
        expected = devices.pop() if len(devices) == 1 else None
        if expected is None:
            return
        files = "/dev/neuron0" if expected == 1 else f"/dev/neuron[0-{expected - 1}]"
        for record in records(context.resource) or ():
            if record.name == GPU and not record.is_detected and record.files not in (None, expected):
                yield Violation(
                    f"{record.path}.File",
                    f"lists {record.files} device files; the instance type has {expected} Neuron devices",
                    f"write File: {files}, and {expected} as Count and in the ParameterValue of Gres",
                )
