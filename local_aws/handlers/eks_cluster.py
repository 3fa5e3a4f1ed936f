"""AWS::EKS::Cluster: one update after another, and control plane logs.

CloudFormation lists the types of logs that are on, the API sets them in groups of on and off.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from botocore.exceptions import ParamValidationError

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.eks_cluster_changes import config_changes
from local_aws.handlers.generic import GenericHandler

TOLD_BY_SERVICE = ("VpcId", "ClusterSecurityGroupId")
"""Members of ResourcesVpcConfig that DescribeCluster adds."""


class Cluster(GenericHandler):
    type_name = "AWS::EKS::Cluster"

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        """One update after another: EKS takes one kind per request."""
        client = self.client(context)
        cluster = client.describe_cluster(name=physical_id)["cluster"]
        desired = {name: self.to_parameter(name, value) for name, value in new.items()}
        for request in config_changes(client, cluster, desired, changed_properties(old, new)):
            client.update_cluster_config(name=physical_id, **request)
        now = {"Version": cluster["version"]}
        wanted = {"Version": str(new.get("Version") or now["Version"])}
        super().change(context, physical_id, {**old, **now}, {**new, **wanted})

    def to_parameter(self, name: str, value: Any) -> Any:
        """Raises ParamValidationError for an unknown member of ``Logging``."""
        if name != "Logging":
            return super().to_parameter(name, value)
        listed = _only(_only(value, "ClusterLogging", {}), "EnabledTypes", [])
        types = [_only(each, "Type") for each in listed]
        return {"ClusterLogging": [{"Types": types, "Enabled": True}] if types else []}

    def to_property(self, name: str, value: Any) -> Any:
        if name == "ResourcesVpcConfig":
            return {member: each for member, each in value.items() if member not in TOLD_BY_SERVICE}
        if name != "Logging":
            return super().to_property(name, value)
        setups = (value or {}).get("ClusterLogging", [])
        types = [each for setup in setups if setup["Enabled"] for each in setup["Types"]]
        return {"ClusterLogging": {"EnabledTypes": [{"Type": each} for each in types]}}


def changed_properties(old: Properties, new: Properties) -> frozenset[str]:
    """Names of the properties that differ."""
    return frozenset(name for name in {*old, *new} if old.get(name) != new.get(name))


def _only(structure: Any, member: str, default: Any = None) -> Any:
    """The one member that the structure may have."""
    if not isinstance(structure, Mapping) or set(structure) - {member}:
        raise ParamValidationError(report=f"Logging of AWS::EKS::Cluster: expected {member} alone, got {structure!r}")
    return structure.get(member, default)
