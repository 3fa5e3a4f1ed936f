"""An EKS managed add-on with the roles that its service accounts get."""

from __future__ import annotations

import json

from aws_cdk import aws_eks_v2 as eks
from constructs import Construct

from neuron_cluster.plan.addon_plan import AddonPlan
from stacks.eks.placeholders import Placeholders
from stacks.eks.pod_identity_role import PodIdentityRole


class ManagedAddon(Construct):
    """Rights come through EKS Pod Identity, never through the node's own role."""

    def __init__(self, scope: Construct, plan: AddonPlan, placeholders: Placeholders, *, cluster_name: str) -> None:
        super().__init__(scope, f"Addon {plan.name}")
        associations = [
            eks.CfnAddon.PodIdentityAssociationProperty(
                service_account=role.service_account,
                role_arn=PodIdentityRole(self, f"Role {role.service_account}", role, placeholders).role_arn,
            )
            for role in plan.pod_roles
        ]
        self.resource = eks.CfnAddon(
            self,
            "Resource",
            addon_name=plan.name,
            cluster_name=cluster_name,
            addon_version=plan.version,
            configuration_values=json.dumps(plan.configuration, sort_keys=True) if plan.configuration else None,
            pod_identity_associations=associations or None,
            resolve_conflicts="OVERWRITE",
        )
