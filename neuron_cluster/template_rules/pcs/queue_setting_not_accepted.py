from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violations
from neuron_cluster.template_rules.pcs.slurm_settings import not_accepted


class QueueSettingNotAccepted(TemplateRule):
    """PCS accepts each Slurm setting of a queue (`SlurmCustomSettings`).

    Prolog, HealthCheckProgram and other scripts are settings of the cluster alone.
    """

    id = "E8953"
    operation = "pcs:CreateQueue"
    error_code = "ValidationException"
    source = "https://docs.aws.amazon.com/pcs/latest/userguide/slurm-custom-settings-cluster.html and its neighbours"
    types = ("AWS::PCS::Queue",)

    def check(self, context: TemplateContext) -> Violations:
        yield from not_accepted(context.resource, "queue", context.catalog)
