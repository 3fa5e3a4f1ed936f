"""HyperPod groups with a training plan: the plan exists, is for HyperPod, and has their type, instances and zone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.clock import CLOCK
from local_aws.contract import Call
from local_aws.registry import guard
from local_aws.services.sagemaker.plan_rows import CAPACITIES, USABLE, Row, find_plan, groups_on, status_of, types_of

TARGET = "hyperpod-cluster"
ARN = "TrainingPlanArn"


@guard("sagemaker", "CreateCluster", "UpdateCluster", last=True)
def require_plans_of_groups(call: Call) -> None:
    """Groups of a request that get a plan, or another number of its instances."""
    cluster = _cluster(call)
    for group in _groups_with_new_use(call, cluster):
        plan = find_plan(call, group[ARN])
        if plan is None:
            raise api_error("sagemaker.plan_unknown", name=group[ARN])
        _require_fit(plan, group)
        _require_count(call, plan, group, cluster.get("ClusterName", ""))
        _require_zone(call, plan, group, cluster)


def _cluster(call: Call) -> Mapping[str, Any]:
    """The row of the cluster that an update names by name or ARN; nothing for a new or an unknown one."""
    name = call.parameters["ClusterName"].rpartition("/")[2]
    rows = call.table("Cluster").values()
    return next((row for row in rows if name in (row["ClusterName"], row["ClusterArn"].rpartition("/")[2])), {})


def _groups_with_new_use(call: Call, cluster: Mapping[str, Any]) -> Iterator[Row]:
    """An update may repeat a group whose plan has ended as long as it changes neither plan nor count."""
    old = {group["InstanceGroupName"]: group for group in cluster.get("InstanceGroups", [])}
    for group in call.parameters.get("InstanceGroups", []):
        before = old.get(group["InstanceGroupName"], {})
        is_same = (before.get(ARN), before.get("TargetCount")) == (group.get(ARN), group["InstanceCount"])
        if group.get(ARN) and not is_same:
            yield group


def _require_fit(plan: Row, group: Row) -> None:
    name, status = plan["TrainingPlanName"], status_of(plan, CLOCK.now())
    if TARGET not in plan["TargetResources"]:
        raise api_error("sagemaker.plan_for_other", name=name, target=", ".join(plan["TargetResources"]))
    if status not in USABLE:
        raise api_error("sagemaker.plan_status", name=name, status=status)
    plan_type = plan[CAPACITIES][0]["InstanceType"]
    if types_of(group) != [plan_type]:
        given = group["InstanceGroupName"]
        raise api_error("sagemaker.plan_of_other_type", name=name, type_name=plan_type, group=given)


def _require_count(call: Call, plan: Row, group: Row, cluster_name: str) -> None:
    """The groups of all clusters together have no more instances than the plan, after this request."""
    given = {each["InstanceGroupName"]: each for each in call.parameters.get("InstanceGroups", [])}
    replaced = {*given, *call.parameters.get("InstanceGroupsToDelete", [])}
    arn = plan["TrainingPlanArn"]
    kept = sum(
        count for (cluster, name), count in groups_on(call, arn) if cluster != cluster_name or name not in replaced
    )
    wanted = kept + sum(each["InstanceCount"] for each in given.values() if each.get(ARN) == arn)
    if wanted > plan["TotalInstanceCount"]:
        raise api_error(
            "sagemaker.plan_too_small",
            name=plan["TrainingPlanName"],
            total=plan["TotalInstanceCount"],
            wanted=wanted,
            group=group["InstanceGroupName"],
        )


def _require_zone(call: Call, plan: Row, group: Row, cluster: Mapping[str, Any]) -> None:
    """One of the subnets of the group is in a zone of the plan; a cluster without a VPC is in any zone."""
    own = group.get("OverrideVpcConfig") or call.parameters.get("VpcConfig") or cluster.get("VpcConfig") or {}
    if not (wanted := own.get("Subnets")):
        return
    rows = call.client("ec2").describe_subnets(Filters=[{"Name": "subnet-id", "Values": wanted}])["Subnets"]
    zones = {each["AvailabilityZoneId"] for each in plan[CAPACITIES]}
    if rows and zones.isdisjoint(row["AvailabilityZoneId"] for row in rows):
        raise api_error("sagemaker.plan_zone", group=group["InstanceGroupName"], zones=", ".join(sorted(zones)))
