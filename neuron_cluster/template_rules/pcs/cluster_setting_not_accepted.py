from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violations
from neuron_cluster.template_rules.pcs.slurm_settings import not_accepted


class ClusterSettingNotAccepted(TemplateRule):
    """PCS accepts each Slurm setting of a cluster (`SlurmCustomSettings`)."""

    id = "E8951"
    operation = "pcs:CreateCluster"
    error_code = "ValidationException"
    source = "https://docs.aws.amazon.com/pcs/latest/userguide/slurm-custom-settings-cluster.html"
    types = ("AWS::PCS::Cluster",)

    def check(self, context: TemplateContext) -> Violations:
        yield from not_accepted(context.resource, "cluster", context.catalog)
