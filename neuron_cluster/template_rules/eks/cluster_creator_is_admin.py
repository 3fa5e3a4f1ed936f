from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, is_false, is_unknown


class ClusterCreatorIsAdmin(TemplateRule):
    """The creator of an EKS cluster gets no administrator access (`BootstrapClusterCreatorAdminPermissions`).

    Access entries grant access. The property is create-only: EKS reads it when it creates the cluster.
    """

    id = "E8212"
    operation = "eks:CreateCluster"
    error_code = None
    source = (
        "boto/botocore 1.44.5: eks CreateAccessConfigRequest bootstrapClusterCreatorAdminPermissions (default true)"
    )
    types = ("AWS::EKS::Cluster",)

    def check(self, context: TemplateContext) -> Violations:
        wanted = at(context.resource.properties, "AccessConfig", "BootstrapClusterCreatorAdminPermissions")
        if not is_false(wanted) and not is_unknown(wanted):
            yield Violation(
                "AccessConfig.BootstrapClusterCreatorAdminPermissions",
                "is not false; access entries grant access",
                "set BootstrapClusterCreatorAdminPermissions: false, which EKS reads when it creates the cluster, and "
                "add an AWS::EKS::AccessEntry with the PrincipalArn of each administrator",
            )
