"""AWS::EKS::Cluster: one update after another, and control plane logs.

CloudFormation lists the types of logs that are on, the API sets them in groups of on and off.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.generic import GenericHandler
from local_aws.resource_types.shapes import to_api


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
        if name != "Logging":
            return super().to_parameter(name, value)
        types = [each["Type"] for each in value.get("ClusterLogging", {}).get("EnabledTypes", [])]
        return {"ClusterLogging": [{"Types": types, "Enabled": True}] if types else []}


def changed_properties(old: Properties, new: Properties) -> frozenset[str]:
    """Names of the properties that differ."""
    return frozenset(name for name in {*old, *new} if old.get(name) != new.get(name))


Request = dict[str, Any]

NEW_ENDPOINT: Request = {
    "endpointPublicAccess": True,
    "endpointPrivateAccess": False,
    "publicAccessCidrs": ["0.0.0.0/0"],
}
"""EKS's settings of an endpoint of which nothing is said."""
AUTO_MODE: dict[str, tuple[str, Request]] = {
    "ComputeConfig": ("computeConfig", {"enabled": False}),
    "KubernetesNetworkConfig": ("kubernetesNetworkConfig", {"elasticLoadBalancing": {"enabled": False}}),
    "StorageConfig": ("storageConfig", {"blockStorage": {"enabled": False}}),
}
SIMPLE: dict[str, tuple[str, Any]] = {
    "UpgradePolicy": ("upgradePolicy", {"supportType": "EXTENDED"}),
    "ZonalShiftConfig": ("zonalShiftConfig", {"enabled": False}),
    "DeletionProtection": ("deletionProtection", False),
    "RemoteNetworkConfig": ("remoteNetworkConfig", {"remoteNodeNetworks": [], "remotePodNetworks": []}),
    "ControlPlaneScalingConfig": ("controlPlaneScalingConfig", {"tier": "standard"}),
    "KubeApiServerConfig": ("kubeApiServerConfig", {}),
    "KubeSchedulerConfig": ("kubeSchedulerConfig", {}),
    "KubeControllerManagerConfig": ("kubeControllerManagerConfig", {}),
}
"""The API's member of each property, and the value after the property is removed."""


def config_changes(
    client: Any, cluster: Mapping[str, Any], properties: Properties, changed: frozenset[str]
) -> Iterator[Request]:
    """Requests without the name, one kind of change each; none for what the cluster is already.

    ``properties`` have the API's form of ``Logging``. A cluster's own answer decides what is still to do, so that
    a rollback undoes just what was done.
    """
    updatable = {"AccessConfig", "Logging", "ResourcesVpcConfig", *AUTO_MODE, *SIMPLE}
    given = {name: value for name, value in properties.items() if name in updatable}
    given["AccessConfig"] = {
        name: value
        for name, value in given.get("AccessConfig", {}).items()
        if name != "BootstrapClusterCreatorAdminPermissions"
    }
    wanted = to_api(client, "UpdateClusterConfig", given)
    if "ResourcesVpcConfig" in changed:
        yield from _network_changes(cluster["resourcesVpcConfig"], wanted["resourcesVpcConfig"])
    if "Logging" in changed:
        yield from _logging_change(cluster["logging"], wanted.get("logging", {}))
    mode = wanted["accessConfig"].get("authenticationMode")
    if "AccessConfig" in changed and mode not in (None, cluster["accessConfig"]["authenticationMode"]):
        yield {"accessConfig": wanted["accessConfig"]}
    yield from _auto_mode_change(cluster, wanted, changed)
    for name, (member, default) in SIMPLE.items():
        value = wanted.get(member, default)
        if name in changed and not _says(cluster.get(member), value):
            yield {member: value}


def _network_changes(current: Mapping[str, Any], wanted: Mapping[str, Any]) -> Iterator[Request]:
    known = {*NEW_ENDPOINT, "subnetIds", "securityGroupIds", "controlPlaneEgressMode"}
    unknown = {member: value for member, value in wanted.items() if member not in known}
    endpoint = {member: wanted.get(member, default) for member, default in NEW_ENDPOINT.items()}
    if not endpoint["endpointPublicAccess"]:
        endpoint["publicAccessCidrs"] = []
    if unknown or not _says(current, endpoint):
        yield {"resourcesVpcConfig": {**endpoint, **unknown}}
    place = {"subnetIds": wanted["subnetIds"], "securityGroupIds": wanted.get("securityGroupIds", [])}
    if any(sorted(current[member]) != sorted(value) for member, value in place.items()):
        yield {"resourcesVpcConfig": place}
    egress = wanted.get("controlPlaneEgressMode")
    if egress not in (None, current["controlPlaneEgressMode"]):
        yield {"resourcesVpcConfig": {"controlPlaneEgressMode": egress}}


def _logging_change(current: Mapping[str, Any], wanted: Mapping[str, Any]) -> Iterator[Request]:
    on = {each for setup in wanted.get("clusterLogging", []) for each in setup["types"]}
    now = {each for setup in current["clusterLogging"] if setup["enabled"] for each in setup["types"]}
    setups = [
        {"types": sorted(types), "enabled": enabled}
        for types, enabled in ((on - now, True), (now - on, False))
        if types
    ]
    if setups:
        yield {"logging": {"clusterLogging": setups}}


def _auto_mode_change(
    cluster: Mapping[str, Any], wanted: Mapping[str, Any], changed: frozenset[str]
) -> Iterator[Request]:
    """The three switches of Auto Mode go together; the rest of the network configuration is create-only."""
    if not changed & AUTO_MODE.keys():
        return
    request = {member: wanted.get(member, default) for member, default in AUTO_MODE.values()}
    network = request["kubernetesNetworkConfig"]
    default = AUTO_MODE["KubernetesNetworkConfig"][1]["elasticLoadBalancing"]
    request["kubernetesNetworkConfig"] = {"elasticLoadBalancing": network.get("elasticLoadBalancing", default)}
    if any(not _says(cluster[member], value) for member, value in request.items()):
        yield request


def _says(current: Any, wanted: Any) -> bool:
    """Whether all that is wanted is there already."""
    if isinstance(wanted, Mapping):
        return all(_says((current or {}).get(member), value) for member, value in wanted.items())
    return bool(current == wanted) or (current is None and wanted == [])
