from __future__ import annotations

from local_aws.cloudformation.values import holds_unknown
from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, items

LOG_TYPES = ("audit",)


class AuditLogDisabled(TemplateRule):
    """The audit log of the EKS control plane is enabled (`EnabledTypes`).

    Only the audit log records which principal called which Kubernetes API.
    """

    id = "E8214"
    operation = "eks:CreateCluster"
    error_code = None
    source = "boto/botocore 1.44.5: eks LogType"
    types = ("AWS::EKS::Cluster",)

    def check(self, context: TemplateContext) -> Violations:
        enabled = at(context.resource.properties, "Logging", "ClusterLogging", "EnabledTypes")
        kinds = [at(item, "Type") for item in items(enabled)]
        missing = [kind for kind in LOG_TYPES if kind not in kinds]
        if missing and not holds_unknown(enabled):
            hint = f"add {' and '.join(f'{{Type: {kind}}}' for kind in missing)} to EnabledTypes"
            yield Violation("Logging.ClusterLogging.EnabledTypes", f"does not contain {', '.join(missing)}", hint)
