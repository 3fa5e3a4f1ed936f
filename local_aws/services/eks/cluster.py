"""EKS clusters: create, describe, list, delete."""

from __future__ import annotations

import base64
import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from botocore.exceptions import ClientError

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.custom_resources.kubernetes_state import STATE as OBJECTS
from local_aws.custom_resources.record import TABLE as OBJECT_REQUESTS
from local_aws.registry import operation
from local_aws.services.eks.access_entry import CONFIG_MAP, admit_creator
from local_aws.services.eks.cluster_network import (
    NEW_ENDPOINT,
    create_cluster_group,
    endpoint_access,
    hold_cluster_interfaces,
    release_cluster_interfaces,
    remove_cluster_group,
    require_groups,
    require_remote_networks,
    require_subnets,
    service_blocks,
    service_network,
)
from local_aws.services.eks.control_plane_logs import leave_last_lines, logging_state, write_logs
from local_aws.services.eks.kubernetes_versions import newest_version, require_offered
from local_aws.services.eks.names import eks_arn, endpoint_address, issuer_address, new_cluster_hash
from local_aws.services.eks.roles import require_cluster_role
from local_aws.services.eks.tables import CHILDREN, SELF_MANAGED_ADDONS, Row, clusters, find_cluster, now, of_cluster
from local_aws.services.kms.key_states import key_error
from local_aws.services.paging import listing
from local_aws.services.seed_data import seed_data


def require_auto_mode_form(compute: Mapping[str, Any], mode: str) -> None:
    """Nodes of Auto Mode enter by an access entry, with a role of their own."""
    if compute.get("enabled") and mode == CONFIG_MAP:
        raise api_error("eks.auto_mode_without_entries")
    if compute.get("nodePools") and not compute.get("nodeRoleArn"):
        raise api_error("eks.node_pools_without_role")


def require_auto_mode_whole(cluster: Mapping[str, Any]) -> None:
    switches = {
        cluster["computeConfig"]["enabled"],
        cluster["kubernetesNetworkConfig"]["elasticLoadBalancing"]["enabled"],
        cluster["storageConfig"]["blockStorage"]["enabled"],
    }
    if len(switches) > 1:
        raise api_error("eks.auto_mode_in_part")


KEPT_AS_GIVEN = (
    "outpostConfig",
    "remoteNetworkConfig",
    "kubeApiServerConfig",
    "kubeSchedulerConfig",
    "kubeControllerManagerConfig",
)
CERTIFICATE = Path(__file__).parents[2] / "seeds" / "cluster_authority.pem"
SECRETS = "secrets"


@operation("eks", "CreateCluster")
def create_cluster(call: Call) -> Mapping[str, Any]:
    """Makes the cluster with its group and interfaces. ``bootstrapSelfManagedAddons`` shows nowhere, as on AWS."""
    given = call.parameters
    name = given["name"]
    if name in clusters(call):
        raise api_error("eks.cluster_exists", name=name)
    require_offered(given.get("version", newest_version()))
    require_auto_mode_form(given.get("computeConfig", {}), _authentication_mode(given))
    require_cluster_role(call, given["roleArn"])
    require_keys(call, given.get("encryptionConfig", []))
    wanted = given["resourcesVpcConfig"]
    vpc_id = require_subnets(call, wanted.get("subnetIds", []))[0]["VpcId"]
    require_groups(call, wanted.get("securityGroupIds", []), vpc_id)
    cluster = _new_cluster(call, vpc_id)
    require_remote_networks(given.get("remoteNetworkConfig", {}), service_blocks(cluster))
    require_auto_mode_whole(cluster)
    cluster["resourcesVpcConfig"]["clusterSecurityGroupId"] = create_cluster_group(call, name, vpc_id)
    try:
        hold_cluster_interfaces(call, cluster)
    except BaseException:
        remove_cluster_group(call, cluster["resourcesVpcConfig"]["clusterSecurityGroupId"])
        raise
    clusters(call)[name] = cluster
    write_logs(call, cluster)
    call.table(SELF_MANAGED_ADDONS)[name] = given.get("bootstrapSelfManagedAddons", True)
    bootstrap = given.get("accessConfig", {}).get("bootstrapClusterCreatorAdminPermissions", True)
    if bootstrap:
        admit_creator(call, cluster)
    # The shape of DescribeCluster has the member too, and what can be told is told here.
    cluster["accessConfig"]["bootstrapClusterCreatorAdminPermissions"] = bootstrap
    return {"cluster": cluster}


@operation("eks", "DescribeCluster")
def describe_cluster(call: Call) -> Mapping[str, Any]:
    return {"cluster": find_cluster(call, call.parameters["name"])}


@operation("eks", "ListClusters")
def list_clusters(call: Call) -> Mapping[str, Any]:
    return listing(call, "clusters", sorted(clusters(call)))


@operation("eks", "DeleteCluster")
def delete_cluster(call: Call) -> Mapping[str, Any]:
    """Deletes the cluster, its add-ons, entries and associations, its interfaces and its own group; logs stay."""
    name = call.parameters["name"]
    cluster = find_cluster(call, name)
    if cluster["deletionProtection"]:
        raise api_error("eks.protected_cluster", name=name)
    if of_cluster(call, "nodegroups", name):
        raise api_error("eks.cluster_has_nodegroups")
    release_cluster_interfaces(call, name)
    remove_cluster_group(call, cluster["resourcesVpcConfig"]["clusterSecurityGroupId"])
    call.table(SELF_MANAGED_ADDONS).pop(name, None)
    for kind in (*CHILDREN, "access_policies", "node_role_entries", "updates"):
        of_cluster(call, kind, name).clear()
    requests = call.store.table(call.account, call.region, OBJECT_REQUESTS)
    for request_id in [key for key, request in requests.items() if request["cluster"] == name]:
        del requests[request_id]  # objects that their stack has kept go with their cluster
    call.store.table(call.account, call.region, OBJECTS).pop(name, None)
    del clusters(call)[name]
    leave_last_lines(call, cluster)
    return {"cluster": {**cluster, "status": "DELETING"}}


def require_keys(call: Call, encryption: Sequence[Mapping[str, Any]]) -> None:
    """The KMS keys of the secrets must exist and be usable."""
    for each in encryption:
        key = each["provider"]["keyArn"]
        try:
            described = call.client("kms").describe_key(KeyId=key)["KeyMetadata"]
        except ClientError as error:
            raise api_error("eks.encryption_key", message=error.response["Error"]["Message"]) from error
        if described["KeySpec"] != "SYMMETRIC_DEFAULT":
            raise api_error("eks.encryption_key_spec", spec=described["KeySpec"])
        if unusable := key_error(call.moto_backend("kms"), key):
            raise api_error("eks.encryption_key", message=unusable.message)


def _authentication_mode(given: Mapping[str, Any]) -> str:
    return str(given.get("accessConfig", {}).get("authenticationMode", CONFIG_MAP))


def _new_cluster(call: Call, vpc_id: str) -> Row:
    given = call.parameters
    cluster_hash = new_cluster_hash()
    network = given["resourcesVpcConfig"]
    encryption = [{"resources": [SECRETS], **each} for each in given.get("encryptionConfig", [])]
    return {
        "name": given["name"],
        "arn": eks_arn(call, "cluster", given["name"]),
        "createdAt": now(),
        "version": given.get("version", newest_version()),
        "endpoint": endpoint_address(call, cluster_hash),
        "roleArn": given["roleArn"],
        "resourcesVpcConfig": {
            "subnetIds": list(network["subnetIds"]),
            "securityGroupIds": list(network.get("securityGroupIds", [])),
            "vpcId": vpc_id,
            "controlPlaneEgressMode": network.get("controlPlaneEgressMode", "AWS_MANAGED"),
            **endpoint_access(network, NEW_ENDPOINT),
        },
        "kubernetesNetworkConfig": service_network(call, given.get("kubernetesNetworkConfig", {}), vpc_id),
        "logging": logging_state(given.get("logging", {}), {}),
        "identity": {"oidc": {"issuer": issuer_address(call, cluster_hash)}},
        "status": "ACTIVE",
        "certificateAuthority": {"data": _certificate()},
        "platformVersion": seed_data("eks")["platform_version"],
        "tags": dict(given.get("tags", {})),
        "health": {"issues": []},
        "accessConfig": {"authenticationMode": _authentication_mode(given)},
        "upgradePolicy": {"supportType": "EXTENDED", **given.get("upgradePolicy", {})},
        "zonalShiftConfig": {"enabled": False, **given.get("zonalShiftConfig", {})},
        "computeConfig": {"enabled": False, **given.get("computeConfig", {})},
        "storageConfig": {"blockStorage": {"enabled": False, **given.get("storageConfig", {}).get("blockStorage", {})}},
        "deletionProtection": given.get("deletionProtection", False),
        "controlPlaneScalingConfig": {"tier": "standard", **given.get("controlPlaneScalingConfig", {})},
        **({"encryptionConfig": encryption} if encryption else {}),
        **{member: given[member] for member in KEPT_AS_GIVEN if member in given},
    }


@functools.cache
def _certificate() -> str:
    """Stands for the certificate of the endpoint's authority. Its key was thrown away: nothing listens there.

    It can be read, so that kubectl says that it finds no such host, and not that the certificate is malformed.
    """
    return base64.b64encode(CERTIFICATE.read_bytes()).decode()
