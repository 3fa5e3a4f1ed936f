"""Logs of a control plane, in a group that EKS makes when it is missing, and once more after the cluster is gone.

EKS writes what it still has for some minutes after the deletion, as AWSServiceRoleForAmazonEKS, and makes the group
again for it, without a key and without an end. Source: terraform-aws-modules/terraform-aws-eks#2763, #2446, #1019,
#920; cloudposse/terraform-aws-eks-cluster#67.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.contract import Call
from local_aws.services.eks.tables import Row

LAST_LINES = "eks.last_log_lines"
"""Clusters that are gone and whose last lines EKS has not written yet, by name."""
LOG_TYPES = ("api", "audit", "authenticator", "controllerManager", "scheduler")


def enabled_types(logging: Mapping[str, Any]) -> list[str]:
    """Log types that are on, in EKS's order."""
    on = {each for setup in logging.get("clusterLogging", []) if setup.get("enabled") for each in setup["types"]}
    return [each for each in LOG_TYPES if each in on]


def logging_state(given: Mapping[str, Any], current: Mapping[str, Any]) -> Row:
    """``logging`` after a request: types that it does not name stay as they are."""
    on = set(enabled_types(current))
    for setup in given.get("clusterLogging", []):
        types = set(setup.get("types", []))
        on = on | types if setup.get("enabled") else on - types
    setups = [
        {"types": [each for each in LOG_TYPES if (each in on) is enabled], "enabled": enabled}
        for enabled in (True, False)
    ]
    return {"clusterLogging": [setup for setup in setups if setup["types"]]}


def log_group_of(cluster: str) -> str:
    return f"/aws/eks/{cluster}/cluster"


def write_logs(call: Call, cluster: dict[str, Any]) -> None:
    """EKS writes the first lines of what is switched on."""
    if enabled_types(cluster["logging"]):
        _make_sure(call, log_group_of(cluster["name"]))


def leave_last_lines(call: Call, cluster: dict[str, Any]) -> None:
    """Writes the last logs of a deleted cluster into the present group, or into the one that EKS makes afterwards."""
    if enabled_types(cluster["logging"]):
        _make_sure(call, log_group_of(cluster["name"]))
        call.store.table(call.account, call.region, LAST_LINES)[cluster["name"]] = True


def write_again(call: Call, log_group: str) -> None:
    """After the group was deleted: EKS goes on writing for a cluster, and once for one that is gone."""
    last_lines = call.store.table(call.account, call.region, LAST_LINES)
    clusters = call.store.table(call.account, call.region, "eks.clusters")
    name = log_group.removeprefix("/aws/eks/").removesuffix("/cluster")
    if log_group != log_group_of(name):
        return
    living = name in clusters and bool(enabled_types(clusters[name]["logging"]))
    if living or last_lines.pop(name, False):
        _make_sure(call, log_group)


def _make_sure(call: Call, log_group: str) -> None:
    backend = call.moto_backend("logs")
    if log_group not in backend.groups:
        backend.create_log_group(log_group, {})
