from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violations
from neuron_cluster.template_rules.pcs.slurm_settings import not_accepted


class GroupSettingNotAccepted(TemplateRule):
    """PCS accepts each Slurm setting of a compute node group (`SlurmCustomSettings`).

    Prolog, HealthCheckProgram and other scripts are settings of the cluster alone.
    """

    id = "E8952"
    operation = "pcs:CreateComputeNodeGroup"
    error_code = "ValidationException"
    source = "https://docs.aws.amazon.com/pcs/latest/userguide/slurm-custom-settings-cluster.html and its neighbours"
    types = ("AWS::PCS::ComputeNodeGroup",)

    def check(self, context: TemplateContext) -> Violations:
        yield from not_accepted(context.resource, "group", context.catalog)
