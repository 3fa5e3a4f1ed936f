"""Kubernetes versions that EKS offers and that nodes may have, AMI releases of nodes, and UpdateClusterVersion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.handlers.service_resource import ignore_not_found
from local_aws.knowledge.current import knowledge, why_impossible
from local_aws.knowledge.rows import AmiType
from local_aws.registry import operation
from local_aws.services.ec2.public_images import RELEASE_PARAMETER, sibling_parameter
from local_aws.services.eks.tables import find_cluster, of_cluster
from local_aws.services.eks.update import record_update
from local_aws.services.seed_data import seed_data

MOST_BEHIND = 3
"""Minor versions between a control plane and its nodes."""


def newest_version() -> str:
    return max(knowledge().kubernetes_versions, key=minor)


def minor(version: str) -> int:
    """34 for ``1.34``."""
    return int(version.split(".")[1])


def require_offered(version: str) -> None:
    if version not in knowledge().kubernetes_versions and version not in seed_data("eks")["older_kubernetes_versions"]:
        raise api_error("eks.version_not_offered", version=version)


def require_within_skew(cluster: str, nodes: str) -> None:
    """Nodes may be three minor versions behind their control plane, and none ahead of it."""
    major, newest = cluster.partition(".")[0], minor(cluster)
    supported = [f"{major}.{number}" for number in range(newest, newest - MOST_BEHIND - 1, -1)]
    if nodes not in supported:
        raise api_error("eks.version_skew", version=cluster, supported=", ".join(supported))


@operation("eks", "UpdateClusterVersion")
def update_cluster_version(call: Call) -> Mapping[str, Any]:
    """One minor version up and never down, with the node groups following each step."""
    cluster = find_cluster(call, call.parameters["name"])
    wanted = call.parameters["version"]
    require_offered(wanted)
    if minor(wanted) != minor(cluster["version"]) + 1:
        raise api_error("eks.version_step", current=cluster["version"], wanted=wanted)
    groups = list(of_cluster(call, "nodegroups", cluster["name"]).values())
    behind = [group["nodegroupName"] for group in groups if group["version"] != cluster["version"]]
    if behind:
        raise api_error("eks.nodegroups_behind", groups=", ".join(behind), version=cluster["version"])
    cluster["version"] = wanted
    parameters = {"Version": wanted, "PlatformVersion": cluster["platformVersion"]}
    return record_update(call, cluster, "VersionUpdate", parameters)


def release_version(call: Call, ami_type_name: str, kubernetes_version: str, wanted: str | None) -> str | None:
    """The release that nodes get: the wanted one, else the newest that the public parameter tells.

    None when the catalog or SSM does not know it: an AMI type without a published parameter here.
    """
    row = knowledge().ami_types.get(ami_type_name)
    if wanted is None:
        return _newest(call, row, kubernetes_version) if row is not None and row.is_published else None
    names_kubernetes = row is None or row.release_version_parameter_pattern is not None
    is_of_version = wanted.startswith(f"{kubernetes_version}.")
    if names_kubernetes and not (is_of_version and why_impossible(wanted) is None):
        raise api_error("eks.release_version", release=wanted, version=kubernetes_version)
    return wanted


def _newest(call: Call, row: AmiType, kubernetes_version: str) -> str | None:
    if row.release_version_parameter_pattern is None:
        parameter = sibling_parameter(row.ssm_parameter(kubernetes_version), RELEASE_PARAMETER)
    else:
        parameter = row.release_version_parameter(kubernetes_version)
    with ignore_not_found():
        return str(call.client("ssm").get_parameter(Name=parameter)["Parameter"]["Value"])
    return None
