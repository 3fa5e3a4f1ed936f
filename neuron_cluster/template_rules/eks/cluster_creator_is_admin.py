"""EKS clusters whose creator gets administrator access."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, is_false, is_unknown
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class ClusterCreatorIsAdmin(ResourceRule):
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

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up, catalog
        wanted = at(resource.properties, "AccessConfig", "BootstrapClusterCreatorAdminPermissions")
        if not is_false(wanted) and not is_unknown(wanted):
            yield Violation(
                "AccessConfig.BootstrapClusterCreatorAdminPermissions",
                "is not false; access entries grant access",
                "set BootstrapClusterCreatorAdminPermissions: false, which EKS reads when it creates the cluster, and "
                "add an AWS::EKS::AccessEntry with the PrincipalArn of each administrator",
            )
