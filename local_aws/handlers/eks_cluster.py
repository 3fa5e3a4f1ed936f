"""AWS::EKS::Cluster."""

from __future__ import annotations

import contextlib
from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.eks_cluster_changes import config_changes
from local_aws.handlers.eks_cluster_logging import api_logging, property_logging
from local_aws.handlers.eks_resource import EksResource, changed_properties
from local_aws.handlers.names import generated_name
from local_aws.handlers.service_resource import present
from local_aws.handlers.shapes import call, from_api

NAME_LIMIT = 100
OF_VERSION_UPDATE = ("Force", "RollbackConfig")
"""Properties that speak of how a version update is done."""
TOLD_BY_SERVICE = ("VpcId", "ClusterSecurityGroupId")
"""Members of ResourcesVpcConfig that DescribeCluster adds."""


class Cluster(EksResource):
    """``BootstrapSelfManagedAddons`` is write-only: EKS tells it nowhere."""

    type_name = "AWS::EKS::Cluster"
    noun = "Cluster"
    member = "Cluster"
    arn_member = "Arn"
    created = frozenset(
        {
            "AccessConfig",
            "BootstrapSelfManagedAddons",
            "ComputeConfig",
            "ControlPlaneScalingConfig",
            "DeletionProtection",
            "EncryptionConfig",
            "KubeApiServerConfig",
            "KubeControllerManagerConfig",
            "KubeSchedulerConfig",
            "KubernetesNetworkConfig",
            "Logging",
            "Name",
            "OutpostConfig",
            "RemoteNetworkConfig",
            "ResourcesVpcConfig",
            "RoleArn",
            "StorageConfig",
            "Tags",
            "UpgradePolicy",
            "Version",
            "ZonalShiftConfig",
        }
    )
    supported = created | {*OF_VERSION_UPDATE}

    def identity(self, physical_id: str) -> dict[str, str]:
        return {"Name": physical_id}

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:
        name = str(properties.get("Name") or generated_name(context, NAME_LIMIT))
        given = {**present(properties, *self.created), "Name": name}
        call(self.client(context), "CreateCluster", self.creation(context, api_logging(given)))
        undo.callback(self.remove, context, name, properties)
        return name

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        """One update after another: EKS takes one kind per request."""
        client = self.client(context)
        changed = changed_properties(old, new)
        for request in config_changes(client, self._answer(context, physical_id), api_logging(new), changed):
            client.update_cluster_config(name=physical_id, **request)
        if "Version" in changed and str(new.get("Version", "")) not in ("", self.row(context, physical_id)["Version"]):
            how = present(new, "Version", *OF_VERSION_UPDATE)
            call(client, "UpdateClusterVersion", {"Name": physical_id, **how})
        self.change_tags(context, physical_id, new)

    def row(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        answer = from_api(self.client(context), "DescribeCluster", {"cluster": self._answer(context, physical_id)})
        row: dict[str, Any] = answer["Cluster"]
        return row

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        properties = property_logging(super().describe(context, physical_id))
        network = properties["ResourcesVpcConfig"]
        properties["ResourcesVpcConfig"] = {k: v for k, v in network.items() if k not in TOLD_BY_SERVICE}
        return properties

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        """``Id`` and ``CertificateAuthority.Active…`` belong to clusters on Outposts and of other authorities."""
        row = self.row(context, physical_id)
        keys = [each["Provider"]["KeyArn"] for each in row.get("EncryptionConfig", [])]
        return {
            "Arn": row["Arn"],
            "Endpoint": row["Endpoint"],
            "CertificateAuthorityData": row["CertificateAuthority"]["Data"],
            "CertificateAuthority.Data": row["CertificateAuthority"]["Data"],
            "ClusterSecurityGroupId": row["ResourcesVpcConfig"]["ClusterSecurityGroupId"],
            "OpenIdConnectIssuerUrl": row["Identity"]["Oidc"]["Issuer"],
            "EncryptionConfigKeyArn": keys[0] if keys else "",
            "KubernetesNetworkConfig.ServiceIpv6Cidr": row["KubernetesNetworkConfig"].get("ServiceIpv6Cidr", ""),
        }

    def _answer(self, context: ResourceContext, name: str) -> dict[str, Any]:
        """The cluster in the API's own spelling."""
        cluster: dict[str, Any] = self.client(context).describe_cluster(name=name)["cluster"]
        return cluster
