"""Everything that the services of an account list, in a form that two moments can be compared by."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping
from typing import Any

Clients = Callable[[str], Any]

EC2 = {
    "describe_addresses": "Addresses",
    "describe_flow_logs": "FlowLogs",
    "describe_instances": "Reservations",
    "describe_internet_gateways": "InternetGateways",
    "describe_launch_templates": "LaunchTemplates",
    "describe_nat_gateways": "NatGateways",
    "describe_network_interfaces": "NetworkInterfaces",
    "describe_placement_groups": "PlacementGroups",
    "describe_route_tables": "RouteTables",
    "describe_security_group_rules": "SecurityGroupRules",
    "describe_security_groups": "SecurityGroups",
    "describe_subnets": "Subnets",
    "describe_volumes": "Volumes",
    "describe_vpc_endpoints": "VpcEndpoints",
    "describe_vpcs": "Vpcs",
}
"""Operation and the member of its answer that holds the rows."""

GONE = {"deleted", "deleting", "terminated", "PendingDeletion"}
"""States in which a service goes on telling of a thing that is removed."""

GROUP_TAG = "aws:autoscaling:groupName"

NEW_ON_THE_WAY_BACK = {"SecurityGroupRuleId", "SecurityGroupRuleArn"}
"""A rule that is taken off and put on again is another one."""

VERSIONS = {"LatestVersionNumber", "LatestVersion"}
"""A launch template that goes back to what it was does so in a further version."""


def snapshot(client: Clients) -> dict[str, list[Any]]:
    """Returns sorted rows by service and kind, without times."""
    return {kind: sorted((plain(row) for row in rows if not is_gone(row)), key=repr) for kind, rows in listed(client)}


def listed(client: Clients) -> Iterator[tuple[str, list[Any]]]:
    rows = {member: getattr(client("ec2"), operation)()[member] for operation, member in EC2.items()}
    scaled = _scaled_instances(rows["Reservations"])
    for member, found in rows.items():
        yield f"ec2 {member}", [row for row in found if not _is_scaled(row, scaled)]
    groups = client("autoscaling").describe_auto_scaling_groups()["AutoScalingGroups"]
    yield "auto scaling groups", [(_eks_tags(row), row["DesiredCapacity"], len(row["Instances"])) for row in groups]
    yield from _iam(client("iam"))
    yield from _eks(client("eks"))
    kms, fsx, s3, logs = (client(service) for service in ("kms", "fsx", "s3", "logs"))
    yield "kms keys", [kms.describe_key(KeyId=row["KeyId"])["KeyMetadata"] for row in kms.list_keys()["Keys"]]
    yield "kms aliases", kms.list_aliases()["Aliases"]
    yield "fsx file systems", fsx.describe_file_systems()["FileSystems"]
    yield "fsx associations", fsx.describe_data_repository_associations()["Associations"]
    yield "s3 buckets", s3.list_buckets()["Buckets"]
    yield "log groups", logs.describe_log_groups()["logGroups"]
    yield "ssm parameters", [without(row, "Version") for row in client("ssm").describe_parameters()["Parameters"]]
    yield "lambda functions", client("lambda").list_functions()["Functions"]


def _scaled_instances(reservations: list[Any]) -> set[str]:
    """Ids of the instances of Auto Scaling groups: whose nodes they are is the same after a way back, they are not."""
    found = [instance for row in reservations for instance in row["Instances"]]
    return {each["InstanceId"] for each in found if GROUP_TAG in {tag["Key"] for tag in each.get("Tags", [])}}


def _is_scaled(row: Mapping[str, Any], scaled: set[str]) -> bool:
    """Whether the row is of such an instance, or of what it has, or the launch template that EKS makes for it."""
    attachments = [row.get("Attachment") or {}, *row.get("Attachments", []), *row.get("Instances", [])]
    of_eks = "LaunchTemplateName" in row and bool(_eks_tags(row))
    return of_eks or any(each.get("InstanceId") in scaled for each in attachments)


def _eks_tags(row: Mapping[str, Any]) -> list[tuple[str, str]]:
    return sorted((tag["Key"], tag["Value"]) for tag in row.get("Tags", []) if tag["Key"].startswith("eks:"))


def _iam(iam: Any) -> Iterator[tuple[str, list[Any]]]:
    roles = iam.list_roles()["Roles"]
    yield "iam roles", roles
    names = [role["RoleName"] for role in roles]
    yield "iam inline policies", [(name, iam.list_role_policies(RoleName=name)["PolicyNames"]) for name in names]
    yield (
        "iam attached policies",
        [(name, iam.list_attached_role_policies(RoleName=name)["AttachedPolicies"]) for name in names],
    )
    yield "iam profiles", iam.list_instance_profiles()["InstanceProfiles"]


def _eks(eks: Any) -> Iterator[tuple[str, list[Any]]]:
    names = eks.list_clusters()["clusters"]
    yield "eks clusters", [eks.describe_cluster(name=name)["cluster"] for name in names]
    for noun in ("addons", "nodegroups", "access_entries", "pod_identity_associations"):
        yield f"eks {noun}", [getattr(eks, f"list_{noun}")(clusterName=name) for name in names]


def without(row: Mapping[str, Any], name: str) -> dict[str, Any]:
    """A parameter that goes back to its old value counts on."""
    return {key: value for key, value in row.items() if key != name}


def is_gone(row: Any) -> bool:
    return isinstance(row, Mapping) and any(row.get(name) in GONE for name in ("State", "KeyState"))


def plain(value: Any) -> Any:
    """Without times, request ids and what changes by being restored; lists of structures sorted."""
    if isinstance(value, Mapping):
        left = {"ResponseMetadata"} | NEW_ON_THE_WAY_BACK | VERSIONS
        return {
            name: plain(item) for name, item in value.items() if name not in left and not isinstance(item, dt.datetime)
        }
    if isinstance(value, list | tuple):
        return sorted((plain(item) for item in value), key=repr)
    return value
