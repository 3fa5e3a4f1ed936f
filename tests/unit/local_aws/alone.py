"""The life of a stack on the local AWS, in a process that cannot import ``neuron_cluster``: prints its status.

Of a file with templates, ``first`` and ``edited``; then it prints what is left. A program it runs.
"""

from __future__ import annotations

import json
import runpy
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ACCOUNT, REGION = "111122223333", "us-west-2"


class Blocked:
    """A finder in front of all others."""

    def find_spec(self, name: str, *_: object) -> None:
        if name.partition(".")[0] == "neuron_cluster":
            raise ImportError(f"the local AWS imports {name}")


def main(argument: str) -> None:
    from local_aws import LocalAws
    from local_aws.clients import local_client

    if argument.endswith(".py"):
        runpy.run_path(argument, run_name="__main__")
        return
    templates = json.loads(Path(argument).read_text(encoding="utf-8"))
    with LocalAws() as aws:
        clients = {name: local_client(name, aws.endpoint, ACCOUNT, REGION) for name in SERVICES}
        before = set(existing(clients))
        live(clients["cloudformation"], templates["first"], templates["edited"])
        sys.stdout.write(f"left: {' '.join(sorted(set(existing(clients)) - before))}\n")


SERVICES = ("autoscaling", "cloudformation", "ec2", "ecs", "elbv2", "iam", "lambda", "s3", "sns", "sqs")


def live(client: Any, first: dict[str, Any], then: dict[str, Any]) -> None:
    """Creates the stack, updates it and deletes it; prints each status with the outputs, and the drift."""
    capabilities = ["CAPABILITY_NAMED_IAM"]
    given = {"StackName": "alone", "Capabilities": capabilities}
    stack = client.create_stack(**given, TemplateBody=json.dumps(first))["StackId"]
    report(client, stack)
    client.update_stack(**given, TemplateBody=json.dumps(then))
    report(client, stack)
    client.delete_stack(StackName="alone")
    report(client, stack)


def report(client: Any, stack: str) -> None:
    """At the end of the operation."""
    while (found := client.describe_stacks(StackName=stack)["Stacks"][0])["StackStatus"].endswith("PROGRESS"):
        time.sleep(0.02)
    outputs = [each["OutputValue"] for each in found.get("Outputs", [])]
    sys.stdout.write(f"{' '.join([found['StackStatus'], *outputs])}\n")
    if found["StackStatus"] != "DELETE_COMPLETE":
        sys.stdout.write(f"{drift(client, stack)}\n")
    events = client.describe_stack_events(StackName=stack)["StackEvents"]
    failed = [event for event in events if event["ResourceStatus"].endswith("FAILED")]
    sys.stderr.writelines(f"{each['LogicalResourceId']}: {each.get('ResourceStatusReason')}\n" for each in failed)


def drift(client: Any, stack: str) -> str:
    """Returns the drift of the services from the template."""
    detection = client.detect_stack_drift(StackName=stack)["StackDriftDetectionId"]
    return str(client.describe_stack_drift_detection_status(StackDriftDetectionId=detection)["StackDriftStatus"])


def existing(clients: dict[str, Any]) -> Iterator[str]:
    """Yields the resources of the other project in the account, by the names of the services."""
    ec2 = clients["ec2"]
    yield from (each["VpcId"] for each in ec2.describe_vpcs()["Vpcs"])
    yield from (each["GroupId"] for each in ec2.describe_security_groups()["SecurityGroups"])
    yield from (each["LaunchTemplateId"] for each in ec2.describe_launch_templates()["LaunchTemplates"])
    for reservation in ec2.describe_instances()["Reservations"]:
        yield from (each["InstanceId"] for each in reservation["Instances"] if each["State"]["Name"] != "terminated")
    groups = clients["autoscaling"].describe_auto_scaling_groups()["AutoScalingGroups"]
    yield from (each["AutoScalingGroupName"] for each in groups)
    yield from clients["ecs"].list_clusters()["clusterArns"]
    yield from clients["ecs"].list_task_definitions()["taskDefinitionArns"]
    providers = clients["ecs"].describe_capacity_providers()["capacityProviders"]
    yield from (each["name"] for each in providers)
    yield from (each["LoadBalancerArn"] for each in clients["elbv2"].describe_load_balancers()["LoadBalancers"])
    yield from (each["TargetGroupArn"] for each in clients["elbv2"].describe_target_groups()["TargetGroups"])
    yield from (each["RoleName"] for each in clients["iam"].list_roles()["Roles"])
    yield from (each["FunctionName"] for each in clients["lambda"].list_functions()["Functions"])
    yield from (each["TopicArn"] for each in clients["sns"].list_topics()["Topics"])
    yield from (each["SubscriptionArn"] for each in clients["sns"].list_subscriptions()["Subscriptions"])
    yield from (each["Name"] for each in clients["s3"].list_buckets()["Buckets"])
    yield from clients["sqs"].list_queues().get("QueueUrls", [])


if __name__ == "__main__":
    sys.meta_path.insert(0, Blocked())  # type: ignore[arg-type]  # a finder needs no more
    main(sys.argv[1])
