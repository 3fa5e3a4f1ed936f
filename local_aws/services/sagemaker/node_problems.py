"""Why the nodes of a HyperPod group do not start: their network, the rules of EFA, their role, their script.

Words of the messages: awslabs/agent-plugins,
plugins/sagemaker-ai/skills/hyperpod-cluster-debugger/references/cloudformation-errors.md
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from botocore.exceptions import ClientError

from local_aws.clients import partition_of
from local_aws.contract import Call
from local_aws.services.iam.policy_documents import statements
from local_aws.services.sagemaker.cluster_rows import eks_cluster_of, network_of, types_of
from local_aws.services.seed_data import seed_data

EFA = "EFA health checks did not run successfully"
SCRIPTS = "Lifecycle scripts did not run successfully"
NETWORK = "Instance bootstrap failed due to network misconfiguration"
ZONES = "No subnets in the capacity AZ"
ROLE = "You are not authorized to perform this operation"
CAPACITY = "Insufficient capacity in the Availability Zone"
ALL_TRAFFIC = "-1"
PRINCIPAL_ACCOUNT = "${aws:PrincipalAccount}"

Row = Mapping[str, Any]


def problem_of(call: Call, cluster: Row, group: Row) -> str | None:
    """The failure message of nodes that the group starts now; None where they run."""
    network = network_of(cluster, group)
    try:
        problem = _problem_of_network(call, network, types_of(group)) if network else None
    except ClientError:  # a subnet or a security group was deleted
        return NETWORK
    if problem:
        return problem
    if network and eks_cluster_of(cluster) and not _makes_interfaces(call, group):
        return ROLE
    return None if _reads_script(call, group) else SCRIPTS


def _makes_interfaces(call: Call, group: Row) -> bool:
    """Whether the role has the actions for any interface, which a policy may name by ARN."""
    interface = f"arn:{partition_of(call.region)}:ec2:{call.region}:{call.account}:network-interface/eni-1"
    return _role_allows(call, group["ExecutionRole"], interface, *seed_data("sagemaker")["eks_role_actions"])


def _problem_of_network(call: Call, network: Row, instance_types: Iterable[str]) -> str | None:
    if _is_public(call, network):
        return NETWORK
    if set(instance_types) & set(seed_data("sagemaker")["efa_types"]):
        if len(zones_of(call, network)) > 1:  # inferred: that nodes do not start, and the message
            return ZONES
        if not _has_own_traffic(call, network):
            return EFA
    return None


def zones_of(call: Call, network: Row) -> set[str]:
    """The zones of the subnets."""
    subnets = call.client("ec2").describe_subnets(SubnetIds=list(network.get("Subnets", [])))["Subnets"]
    return {subnet["AvailabilityZone"] for subnet in subnets}


def _is_public(call: Call, network: Row) -> bool:
    """Whether a subnet has a route to an internet gateway, by its own table or by the main one of its VPC."""
    ec2 = call.client("ec2")
    for subnet in ec2.describe_subnets(SubnetIds=list(network.get("Subnets", [])))["Subnets"]:
        tables = ec2.describe_route_tables(Filters=[{"Name": "vpc-id", "Values": [subnet["VpcId"]]}])["RouteTables"]
        ends = [(end.get("SubnetId"), end.get("Main"), table) for table in tables for end in table["Associations"]]
        own = [table for subnet_id, _, table in ends if subnet_id == subnet["SubnetId"]]
        used = own or [table for _, is_main, table in ends if is_main]
        if any(route.get("GatewayId", "").startswith("igw-") for table in used for route in table["Routes"]):
            return True
    return False


def _has_own_traffic(call: Call, network: Row) -> bool:
    """Whether each security group lets all of its own traffic in and out.

    Source: https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-prerequisites.html, which says that a
    rule for 0.0.0.0/0 may not be enough; inferred: that it never is.
    """
    ids = list(network.get("SecurityGroupIds", []))
    for group in call.client("ec2").describe_security_groups(GroupIds=ids)["SecurityGroups"]:
        for rules in (group["IpPermissions"], group["IpPermissionsEgress"]):
            peers = [pair["GroupId"] for rule in rules if rule["IpProtocol"] == ALL_TRAFFIC for pair in _pairs(rule)]
            if group["GroupId"] not in peers:
                return False
    return True


def _pairs(rule: Row) -> list[Any]:
    return list(rule.get("UserIdGroupPairs", []))


def _reads_script(call: Call, group: Row) -> bool:
    """Whether the script is there, and the role may read it; a group without a script has nothing to read."""
    script = group.get("LifeCycleConfig", {})
    name = script.get("OnCreate") or script.get("OnInitComplete")
    if not name:
        return True
    bucket, _, prefix = script.get("SourceS3Uri", "").removeprefix("s3://").partition("/")
    key = "/".join(part for part in (prefix.strip("/"), name) if part)
    try:
        call.client("s3").head_object(Bucket=bucket, Key=key)
    except ClientError:
        return False
    script_arn = f"arn:{partition_of(call.region)}:s3:::{bucket}/{key}"
    return _role_allows(call, group["ExecutionRole"], script_arn, "s3:GetObject") or _bucket_allows(call, bucket)


def _role_allows(call: Call, role: str, resource: str, *actions: str) -> bool:
    """Whether policies of the role allow it; a condition that the simulation cannot answer counts as met."""
    try:
        results = call.client("iam").simulate_principal_policy(
            PolicySourceArn=role,
            ActionNames=list(actions),
            ResourceArns=[resource],
            ContextEntries=[_text("aws:ResourceAccount", call.account, PRINCIPAL_ACCOUNT)],
        )["EvaluationResults"]
    except ClientError:
        return True
    return all(each["EvalDecision"] == "allowed" or each["MissingContextValues"] for each in results)


def _text(key: str, *values: str) -> dict[str, Any]:
    return {"ContextKeyName": key, "ContextKeyType": "stringList", "ContextKeyValues": list(values)}


def _bucket_allows(call: Call, bucket: str) -> bool:
    """Whether a policy of the bucket allows anything: whom and what is not looked at."""
    try:
        text = call.client("s3").get_bucket_policy(Bucket=bucket)["Policy"]
    except ClientError:
        return False
    return any(each["Effect"] == "Allow" for each in statements(json.loads(text)))
