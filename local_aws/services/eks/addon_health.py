"""Whether an add-on's pods have nodes to run on, now: it is degraded until they have, and recovers by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from local_aws.contract import Call
from local_aws.knowledge.current import knowledge
from local_aws.services.eks.nodes import ACTIVE, DEGRADED
from local_aws.services.eks.tables import Row, find_cluster, of_cluster
from local_aws.services.eks.task_governance import ADDON, governance_problem

TOO_FEW_REPLICAS = {
    "code": "InsufficientNumberOfReplicas",
    "message": "The add-on is unhealthy because it doesn't have the desired number of replicas.",
    "resourceIds": [],
}
"""EKS's words (aws/containers-roadmap#2328)."""
REPELLING = {"NO_SCHEDULE": "NoSchedule", "NO_EXECUTE": "NoExecute"}
"""Effects of taints that keep pods away, as EKS and as Kubernetes write them."""
ALWAYS_TOLERATED = {"key": "CriticalAddonsOnly", "operator": "Exists"}


def with_health(call: Call, addon: Row) -> Row:
    """The add-on with its status and health. Nodes that are not of a managed node group are not seen."""
    if addon["addonName"] == ADDON:
        status, issue = governance_problem(call, addon["clusterName"]) or (ACTIVE, None)
        return {**addon, "status": status, "health": {"issues": [dict(issue)] if issue is not None else []}}
    lacks_nodes = knowledge().managed_addons[addon["addonName"]].needs_nodes and not _has_node(call, addon)
    issues = [dict(TOO_FEW_REPLICAS)] if lacks_nodes else []
    return {**addon, "status": DEGRADED if lacks_nodes else ACTIVE, "health": {"issues": issues}}


def _has_node(call: Call, addon: Row) -> bool:
    cluster = find_cluster(call, addon["clusterName"])
    if cluster["computeConfig"]["enabled"]:  # Auto Mode makes nodes when pods wait
        return True
    tolerations = [ALWAYS_TOLERATED, *_tolerations(yaml.safe_load(addon.get("configurationValues") or "{}"))]
    return any(
        group["status"] == ACTIVE
        and group["scalingConfig"]["desiredSize"]
        and all(
            any(_tolerates(each, taint) for each in tolerations)
            for taint in group["taints"]
            if taint.get("effect") in REPELLING
        )
        for group in list(of_cluster(call, "nodegroups", cluster["name"]).values())
    )


def _tolerations(values: Any) -> Iterator[Mapping[str, Any]]:
    """Every toleration in the add-on's configuration, wherever its schema has them."""
    if isinstance(values, Mapping):
        for name, member in values.items():
            if name == "tolerations" and isinstance(member, list):
                yield from (each for each in member if isinstance(each, Mapping))
            else:
                yield from _tolerations(member)


def _tolerates(toleration: Mapping[str, Any], taint: Mapping[str, Any]) -> bool:
    """As Kubernetes compares them: an absent key or effect means every one."""
    if toleration.get("effect", REPELLING[taint["effect"]]) != REPELLING[taint["effect"]]:
        return False
    if toleration.get("operator", "Equal") == "Exists":
        return bool(toleration.get("key", taint.get("key")) == taint.get("key"))
    same_key = toleration.get("key") == taint.get("key")
    return bool(same_key and toleration.get("value", "") == taint.get("value", ""))
