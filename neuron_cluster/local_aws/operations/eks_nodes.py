"""The nodes of managed node groups: whether they start and join. No instance stands behind them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from botocore.exceptions import ClientError

from neuron_cluster.local_aws.launch import CAPACITY_BLOCK, SPOT, Launch, launch_of
from neuron_cluster.local_aws.launches import require_launchable
from neuron_cluster.local_aws.operations.eks_cluster_network import described_subnets
from neuron_cluster.local_aws.operations.eks_node_places import find_addresses, leave, occupy
from neuron_cluster.local_aws.operations.eks_refusals import in_use
from neuron_cluster.local_aws.operations.eks_tables import SELF_MANAGED_ADDONS, Row, of_cluster
from neuron_cluster.local_aws.scarcity import INSUFFICIENT, machines_left
from neuron_cluster.local_aws.service import Call, ServiceError

ACTIVE, CREATE_FAILED, DEGRADED = "ACTIVE", "CREATE_FAILED", "DEGRADED"
MINIMAL = "MINIMAL"
MARKETS = {SPOT: "Spot", CAPACITY_BLOCK: "Capacity Block"}
CNI = "vpc-cni"
SETTLED = "degraded-by-size"
"""Of what each group's nodes were made when a new size, which EKS takes, left it DEGRADED: the way back to that is
no failure, as the group is then what it was before."""
UNHEALTHY = "Unhealthy nodes in the kubernetes cluster"
"""EKS's words for nodes without networking (terraform-aws-modules/terraform-aws-eks#3594, #1910)."""


def start_nodes(call: Call, cluster: Row, group: Row, data: Mapping[str, Any], *, failed: str) -> None:
    """Sets the group's status and health for the size that it wants; ``failed`` is the status when nodes fail.

    ``data`` is that of the launch template; empty without one.
    """
    nodes = call.table("nodes")
    nodes.pop(_key(group), None)
    leave(call, group)
    count = group["scalingConfig"]["desiredSize"]
    issues: list[Row] = []
    if count:
        launch = _launch(call, group, data, count)
        places, issues = _places(call, group, launch)
        started = count if launch is None else sum(places.values())
        addresses = find_addresses(call, group, data, started)
        lost = _address_issues(group, addresses) or _join_issues(call, cluster, group)
        issues = issues or lost
        if addresses is not None and started and not lost:
            occupy(call, cluster, group, data, addresses)
        if launch is not None and started and not lost:  # of a failed group too: they run until it is deleted
            nodes[_key(group)] = [
                {
                    "instance_type": launch.instance_type,
                    "count": number,
                    "market": launch.market,
                    "reservation_id": reservation_id,
                }
                for reservation_id, number in places.items()
            ]
    group["status"] = failed if issues else ACTIVE
    group["health"] = {"issues": issues}


def no_room_to_roll(call: Call, group: Row, data: Mapping[str, Any]) -> list[Row]:
    """Why no node of the new kind could start beside the old ones, which EKS wants first unless told ``MINIMAL``.

    Source: https://docs.aws.amazon.com/eks/latest/userguide/managed-node-update-behavior.html
    """
    if not group["scalingConfig"]["desiredSize"] or group["updateConfig"].get("updateStrategy") == MINIMAL:
        return []
    issues = _places(call, group, _launch(call, group, data, 1))[1]
    return issues or _address_issues(group, find_addresses(call, group, data, 1))


def end_nodes(call: Call, group: Row) -> None:
    for table in ("nodes", SETTLED):
        call.table(table).pop(_key(group), None)
    leave(call, group)


def require_changeable(group: Row) -> None:
    """EKS changes nothing of a group that was never made whole.

    Source: aws/containers-roadmap#2204
    """
    if group["status"] == CREATE_FAILED:
        raise in_use("Nodegroup cannot be updated as it is currently not in Active State")


def _key(group: Row) -> str:
    return str(group["nodegroupArn"])


def _launch(call: Call, group: Row, data: Mapping[str, Any], count: int) -> Launch | None:
    subnets = described_subnets(call, group["subnets"])
    types = group.get("instanceTypes") or [data.get("InstanceType")]
    market = {"MarketType": SPOT} if group["capacityType"] == "SPOT" else data.get("InstanceMarketOptions", {})
    return launch_of({**data, "InstanceType": types[0], "InstanceMarketOptions": market}, count, subnets)


def _places(call: Call, group: Row, launch: Launch | None) -> tuple[Mapping[str | None, int], list[Row]]:
    """The machines that start, by reservation, and what EC2 says to the group's Auto Scaling group of those that do
    not, as EKS passes it on (klothoplatform/klotho#311).

    The group starts what EC2 has and goes on asking for the rest; after half an hour EKS calls it failed
    (eksctl-io/eksctl#4732, aws/containers-roadmap#2204). Here nothing takes half an hour.
    """
    if launch is None:
        return {}, []
    try:
        return require_launchable(call, launch), []
    except (ServiceError, ClientError) as error:
        code, words = _words(error)
        kind = MARKETS.get(launch.market or "", "On-Demand")
        message = f"Could not launch {kind} Instances. {code} - {words} Launching EC2 instance failed."
        name = group["resources"]["autoScalingGroups"][0]["name"]
        started: Mapping[str | None, int] = {None: machines_left(call, launch)} if code == INSUFFICIENT else {}
        return started, [{"code": "AsgInstanceLaunchFailures", "message": message, "resourceIds": [name]}]


def _words(error: ServiceError | ClientError) -> tuple[str, str]:
    if isinstance(error, ServiceError):
        return error.code, error.message
    return error.response["Error"]["Code"], error.response["Error"]["Message"]


def _address_issues(group: Row, addresses: Mapping[str, int] | None) -> list[Row]:
    """The words are in elastic-ipfs/infrastructure#220 and falcosecurity/test-infra#1164."""
    if addresses is not None:
        return []
    message = (
        "Amazon AutoScaling was unable to launch instances because there are not enough free addresses in the subnet "
        "associated with your AutoScaling group(s)."
    )
    return [{"code": "InsufficientFreeAddresses", "message": message, "resourceIds": list(group["subnets"])}]


def _join_issues(call: Call, cluster: Row, group: Row) -> list[Row]:
    """A node without a CNI never becomes Ready. One that a chart brings is not seen here."""
    has_cni = (
        call.table(SELF_MANAGED_ADDONS).get(cluster["name"], True)
        or cluster["computeConfig"]["enabled"]
        or CNI in of_cluster(call, "addons", cluster["name"])
    )
    if has_cni:
        return []
    name = group["resources"]["autoScalingGroups"][0]["name"]
    return [{"code": "NodeCreationFailure", "message": UNHEALTHY, "resourceIds": [name]}]
