"""The nodes of managed node groups: whether they start and join."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.contract import Call, ServiceError
from local_aws.launch import CAPACITY_BLOCK, SPOT, Launch, addresses_of, launch_of
from local_aws.launches import require_launchable, require_offered
from local_aws.services.autoscaling.launches import launch_error_of
from local_aws.services.ec2.network_interfaces import free_addresses
from local_aws.services.eks.auto_scaling import (
    auto_scaling_group,
    group_name,
    node_data,
    replace_instances,
    scale_group,
)
from local_aws.services.eks.tables import SELF_MANAGED_ADDONS, Row, of_cluster

ACTIVE, CREATE_FAILED, DEGRADED = "ACTIVE", "CREATE_FAILED", "DEGRADED"
MINIMAL = "MINIMAL"
MARKETS = {SPOT: "Spot", CAPACITY_BLOCK: "Capacity Block"}
NO_ADDRESS = "InsufficientFreeAddressesInSubnet"
CNI = "vpc-cni"
SETTLED = "degraded-by-size"
"""The data of each group's nodes when a new size, which EKS takes, left it DEGRADED: the way back to that is
no failure, as the group is then what it was before."""
UNHEALTHY = "Unhealthy nodes in the kubernetes cluster"
"""EKS's words for nodes without networking (terraform-aws-modules/terraform-aws-eks#3594, #1910)."""


def start_nodes(call: Call, cluster: Row, group: Row, data: Mapping[str, Any], *, failed: str) -> None:
    """Sets the group's status and health for the size that it wants; ``failed`` is the status when nodes fail.

    ``data`` is that of the user's launch template; empty without one. What has started runs until the group is
    deleted, also where it fails.
    """
    wanted = node_data(call, cluster, group, data)
    count = group["scalingConfig"]["desiredSize"]
    issues = _zone_issues(call, group, wanted) if count else []
    if not issues:
        replace_instances(call, group, wanted)
        missing = count - scale_group(call, group, count)
        issues = _launch_issues(call, group, wanted) if missing > 0 else []
        issues = issues or (_join_issues(call, cluster, group) if count else [])
    group["status"] = failed if issues else ACTIVE
    group["health"] = {"issues": issues}


def capacity_issues_of_update(call: Call, cluster: Row, group: Row, data: Mapping[str, Any]) -> list[Row]:
    """Reasons why no new node could start next to the old ones.

    EKS starts new nodes first unless the update strategy is ``MINIMAL``.

    Source: https://docs.aws.amazon.com/eks/latest/userguide/managed-node-update-behavior.html
    """
    if not group["scalingConfig"]["desiredSize"] or group["updateConfig"].get("updateStrategy") == MINIMAL:
        return []
    wanted = node_data(call, cluster, group, data)
    if (launch := _launch(call, group, wanted)) is not None:
        try:
            require_launchable(call, launch)
        except ServiceError as error:
            return [_launch_issue(group, wanted, error.code, error.message)]
    backend = call.moto_backend("ec2")
    free = [free_addresses(backend, backend.get_subnet(each)) for each in group["subnets"]]
    return [] if max(free) >= addresses_of(wanted) else [_address_issue(group)]


def end_nodes(call: Call, group: Row) -> None:
    call.table(SETTLED).pop(group["nodegroupArn"], None)
    scale_group(call, group, 0)


def require_changeable(group: Row) -> None:
    """EKS changes nothing of a group that was never made whole."""
    if group["status"] == CREATE_FAILED:
        raise api_error("eks.nodegroup_not_active")


def _launch(call: Call, group: Row, wanted: Mapping[str, Any]) -> Launch | None:
    """One node, in any of the zones."""
    subnets = [call.moto_backend("ec2").get_subnet(each) for each in group["subnets"]]
    zones = [{"AvailabilityZoneId": e.availability_zone_id, "AvailabilityZone": e.availability_zone} for e in subnets]
    return launch_of(wanted, 1, zones)


def _zone_issues(call: Call, group: Row, wanted: Mapping[str, Any]) -> list[Row]:
    """A zone that does not offer the type fails the group, though the other zones may have room."""
    launch = _launch(call, group, wanted)
    try:
        if launch is not None:
            require_offered(call, launch)
    except ServiceError as error:
        return [_launch_issue(group, wanted, error.code, error.message)]
    return []


def _launch_issues(call: Call, group: Row, wanted: Mapping[str, Any]) -> list[Row]:
    """Returns EC2's errors for nodes of the group's Auto Scaling group that do not start, as EKS reports them.

    The group starts what EC2 has and goes on asking for the rest; after half an hour EKS calls it failed
    (eksctl-io/eksctl#4732, aws/containers-roadmap#2204). Here nothing takes half an hour.
    """
    refused = launch_error_of(auto_scaling_group(call, group))
    if refused is None:
        return []
    return [_address_issue(group) if refused[0] == NO_ADDRESS else _launch_issue(group, wanted, *refused)]


def _launch_issue(group: Row, wanted: Mapping[str, Any], code: str, cause: str) -> Row:
    """The words are in klothoplatform/klotho#311."""
    market = (wanted.get("InstanceMarketOptions") or {}).get("MarketType")
    message = f"Could not launch {MARKETS.get(market or '', 'On-Demand')} Instances. {code} - {cause}"
    message += " Launching EC2 instance failed."
    return {"code": "AsgInstanceLaunchFailures", "message": message, "resourceIds": [group_name(group)]}


def _address_issue(group: Row) -> Row:
    """The words are in elastic-ipfs/infrastructure#220 and falcosecurity/test-infra#1164."""
    message = (
        "Amazon AutoScaling was unable to launch instances because there are not enough free addresses in the subnet "
        "associated with your AutoScaling group(s)."
    )
    return {"code": "InsufficientFreeAddresses", "message": message, "resourceIds": list(group["subnets"])}


def _join_issues(call: Call, cluster: Row, group: Row) -> list[Row]:
    """A node without a CNI never becomes Ready. One that a chart brings is not seen here."""
    has_cni = (
        call.table(SELF_MANAGED_ADDONS).get(cluster["name"], True)
        or cluster["computeConfig"]["enabled"]
        or CNI in of_cluster(call, "addons", cluster["name"])
    )
    if has_cni:
        return []
    return [{"code": "NodeCreationFailure", "message": UNHEALTHY, "resourceIds": [group_name(group)]}]
