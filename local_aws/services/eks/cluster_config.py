"""UpdateClusterConfig: one kind of change per request."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.registry import operation
from local_aws.services.eks.cluster import require_auto_mode_form, require_auto_mode_whole
from local_aws.services.eks.cluster_network import (
    endpoint_access,
    hold_cluster_interfaces,
    require_groups,
    require_subnets,
)
from local_aws.services.eks.control_plane_logs import logging_state, write_logs
from local_aws.services.eks.tables import Row, find_cluster
from local_aws.services.eks.update import record_update

ENDPOINT_MEMBERS = {
    "endpointPublicAccess": "EndpointPublicAccess",
    "endpointPrivateAccess": "EndpointPrivateAccess",
    "publicAccessCidrs": "PublicAccessCidrs",
}
PLACE_MEMBERS = {"subnetIds": "Subnets", "securityGroupIds": "SecurityGroups"}
EGRESS_MEMBERS = {"controlPlaneEgressMode": "ControlPlaneEgressMode"}
SIMPLE_MEMBERS = {
    "upgradePolicy": ("UpgradePolicyUpdate", "UpgradePolicy"),
    "zonalShiftConfig": ("ZonalShiftConfigUpdate", "ZonalShiftConfig"),
    "remoteNetworkConfig": ("RemoteNetworkConfigUpdate", "RemoteNetworkConfig"),
    "deletionProtection": ("DeletionProtectionUpdate", "DeletionProtection"),
    "controlPlaneScalingConfig": ("ControlPlaneScalingConfigUpdate", "UpdatedTier"),
    "kubeApiServerConfig": ("ControlPlaneComponentConfigUpdate", "KubeApiServerConfig"),
    "kubeSchedulerConfig": ("ControlPlaneComponentConfigUpdate", "KubeSchedulerConfig"),
    "kubeControllerManagerConfig": ("ControlPlaneComponentConfigUpdate", "KubeControllerManagerConfig"),
}
AUTO_MODE_MEMBERS = {
    "computeConfig": "ComputeConfig",
    "kubernetesNetworkConfig": "KubernetesNetworkConfig",
    "storageConfig": "StorageConfig",
}
NEXT_AUTHENTICATION_MODE = {"CONFIG_MAP": "API_AND_CONFIG_MAP", "API_AND_CONFIG_MAP": "API"}

Change = Callable[[Call, Row], dict[str, Any]]
"""Applies the request to the cluster's row and gives the parameters that the update tells."""


@operation("eks", "UpdateClusterConfig")
def update_cluster_config(call: Call) -> Mapping[str, Any]:
    cluster = find_cluster(call, call.parameters["name"])
    changes = _requested_changes(call.parameters)
    if len(changes) > 1:
        raise api_error("eks.several_updates")
    if not changes:
        raise api_error("eks.no_change")
    ((kind, change),) = changes.items()
    return record_update(call, cluster, kind, change(call, cluster))


def _requested_changes(given: Mapping[str, Any]) -> dict[str, Change]:
    """The change for each kind of update that the request speaks of."""
    network = given.get("resourcesVpcConfig", {})
    changes: dict[str, Change] = {}
    if ENDPOINT_MEMBERS.keys() & network.keys():
        changes["EndpointAccessUpdate"] = _change_endpoint
    if PLACE_MEMBERS.keys() & network.keys():
        changes["VpcConfigUpdate"] = _change_place
    if EGRESS_MEMBERS.keys() & network.keys():
        changes["ControlPlaneEgressUpdate"] = _change_egress
    if "logging" in given:
        changes["LoggingUpdate"] = _change_logging
    if "accessConfig" in given:
        changes["AccessConfigUpdate"] = _change_access
    if AUTO_MODE_MEMBERS.keys() & given.keys():
        changes["AutoModeUpdate"] = _change_auto_mode
    for member, (kind, _) in SIMPLE_MEMBERS.items():
        if member in given:
            changes[kind] = _change_simple
    return changes


def _change_endpoint(call: Call, cluster: Row) -> dict[str, Any]:
    network = cluster["resourcesVpcConfig"]
    given = call.parameters["resourcesVpcConfig"]
    wanted = endpoint_access(given, network)
    if all(network[member] == wanted[member] for member in ENDPOINT_MEMBERS):
        raise api_error(
            "eks.same_endpoint",
            private=str(wanted["endpointPrivateAccess"]).lower(),
            public=str(wanted["endpointPublicAccess"]).lower(),
            cidrs=", ".join(wanted["publicAccessCidrs"]),
        )
    network.update(wanted)
    return {ENDPOINT_MEMBERS[member]: wanted[member] for member in ENDPOINT_MEMBERS}


def _change_place(call: Call, cluster: Row) -> dict[str, Any]:
    network = cluster["resourcesVpcConfig"]
    given = call.parameters["resourcesVpcConfig"]
    wanted = {member: list(given.get(member, network[member])) for member in PLACE_MEMBERS}
    if all(sorted(network[member]) == sorted(wanted[member]) for member in PLACE_MEMBERS):
        raise api_error("eks.same_place")
    subnets = require_subnets(call, wanted["subnetIds"])
    if subnets[0]["VpcId"] != network["vpcId"]:
        raise api_error("eks.subnets_of_other_vpc")
    require_groups(call, wanted["securityGroupIds"], network["vpcId"])
    hold_cluster_interfaces(call, {**cluster, "resourcesVpcConfig": {**network, **wanted}})
    network.update(wanted)
    return {reported: wanted[member] for member, reported in PLACE_MEMBERS.items() if member in given}


def _change_egress(call: Call, cluster: Row) -> dict[str, Any]:
    mode = call.parameters["resourcesVpcConfig"]["controlPlaneEgressMode"]
    cluster["resourcesVpcConfig"]["controlPlaneEgressMode"] = mode
    return {"ControlPlaneEgressMode": mode}


def _change_logging(call: Call, cluster: Row) -> dict[str, Any]:
    wanted = logging_state(call.parameters["logging"], cluster["logging"])
    if wanted == cluster["logging"]:
        raise api_error("eks.same_logging")
    cluster["logging"] = wanted
    write_logs(call, cluster)
    return {"ClusterLogging": call.parameters["logging"]}


def _change_access(call: Call, cluster: Row) -> dict[str, Any]:
    current = cluster["accessConfig"]["authenticationMode"]
    wanted = call.parameters["accessConfig"].get("authenticationMode", current)
    if NEXT_AUTHENTICATION_MODE.get(current) != wanted:
        raise api_error("eks.authentication_mode", current=current, wanted=wanted)
    cluster["accessConfig"]["authenticationMode"] = wanted
    return {"AuthenticationMode": wanted}


def _change_auto_mode(call: Call, cluster: Row) -> dict[str, Any]:
    given = {member: call.parameters[member] for member in AUTO_MODE_MEMBERS if member in call.parameters}
    wanted = {member: _merged(cluster[member], given.get(member, {})) for member in AUTO_MODE_MEMBERS}
    require_auto_mode_whole(wanted)
    require_auto_mode_form(wanted["computeConfig"], cluster["accessConfig"]["authenticationMode"])
    cluster.update(wanted)
    return {AUTO_MODE_MEMBERS[member]: value for member, value in given.items()}


def _change_simple(call: Call, cluster: Row) -> dict[str, Any]:
    given = {member: call.parameters[member] for member in SIMPLE_MEMBERS if member in call.parameters}
    for member, value in given.items():
        cluster[member] = _merged(cluster.get(member, {}), value)
    return {SIMPLE_MEMBERS[member][1]: value for member, value in given.items()}


def _merged(current: Any, given: Any) -> Any:
    """``given`` over ``current``, structure by structure; lists and plain values are replaced."""
    if isinstance(current, Mapping) and isinstance(given, Mapping):
        return {**current, **{member: _merged(current.get(member), value) for member, value in given.items()}}
    return given
