"""Requests that ECS rejects, and its responses on deleted clusters and services."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Refused = Callable[..., tuple[str, str]]
CONTAINER = {"name": "web", "image": "nginx", "memory": 512}
STRATEGY = [{"capacityProvider": "FARGATE", "weight": 1}]


@pytest.fixture
def ecs(client: Callable[[str], Any]) -> Any:
    """With a cluster and a task definition."""
    ecs = client("ecs")
    ecs.create_cluster(clusterName="web")
    ecs.register_task_definition(family="serves", containerDefinitions=[CONTAINER])
    return ecs


@pytest.mark.parametrize(
    ("wish", "text"),
    [
        ({"launchType": "FARGATE"}, "Specifying both a launch type and capacity provider strategy is not supported."),
        ({"schedulingStrategy": "DAEMON"}, "when you create a service using the DAEMON scheduling strategy."),
    ],
)
def test_a_strategy_excludes(ecs: Any, refused: Refused, wish: dict[str, str], text: str) -> None:
    service = {"cluster": "web", "serviceName": "excluded", "taskDefinition": "serves"}
    code, message = refused(ecs.create_service, **service, **wish, capacityProviderStrategy=STRATEGY)
    assert (code, text in message) == ("InvalidParameterException", True)
    ecs.create_service(**service, **wish)


@pytest.mark.parametrize("name", ["aws-nodes", "EcsNodes", "fargate", "a.b", "n" * 256])
def test_a_capacity_provider_has_a_name_of_its_own(ecs: Any, refused: Refused, name: str) -> None:
    group = {"autoScalingGroupArn": "arn:aws:autoscaling:us-west-2:1:autoScalingGroup:1:autoScalingGroupName/nodes"}
    code, message = refused(ecs.create_capacity_provider, name=name, autoScalingGroupProvider=group)
    assert (code, message[:52]) == ("ClientException", "The specified capacity provider name is invalid. Up ")
    ecs.create_capacity_provider(name="nodes-of-aws", autoScalingGroupProvider=group)


def test_managed_instances_are_not_emulated(ecs: Any, refused: Refused) -> None:
    task = {"family": "managed", "containerDefinitions": [CONTAINER]}
    code, _ = refused(ecs.register_task_definition, **task, requiresCompatibilities=["MANAGED_INSTANCES"])
    assert code == "NotImplemented"
    ecs.register_task_definition(**task, requiresCompatibilities=["EC2"])


def test_a_cluster_with_a_service_is_not_deleted(ecs: Any, refused: Refused) -> None:
    ecs.create_service(cluster="web", serviceName="last", taskDefinition="serves", desiredCount=2)
    ecs.get_waiter("services_stable").wait(cluster="web", services=["last"])
    (arn,) = [each for each in ecs.list_services(cluster="web")["serviceArns"] if each.endswith("/last")]
    code, message = refused(ecs.delete_cluster, cluster="web")
    assert (code, message) == (
        "ClusterContainsServicesException",
        "The Cluster cannot be deleted while Services are active.",
    )
    for each in ecs.list_services(cluster="web")["serviceArns"]:
        ecs.delete_service(cluster="web", service=each, force=True)
    ecs.get_waiter("services_inactive").wait(cluster="web", services=[arn])
    assert ecs.list_services(cluster="web")["serviceArns"] == []
    ecs.delete_cluster(cluster="web")
    assert ecs.list_clusters()["clusterArns"] == []


def test_a_service_names_the_revision_of_its_task_definition(ecs: Any) -> None:
    revision = ecs.register_task_definition(family="serves", containerDefinitions=[CONTAINER])["taskDefinition"]
    ecs.create_service(cluster="web", serviceName="newest", taskDefinition="serves", capacityProviderStrategy=STRATEGY)
    service = ecs.update_service(cluster="web", service="newest", taskDefinition="serves", desiredCount=3)["service"]
    assert service["taskDefinition"] == revision["taskDefinitionArn"]
    assert (service.get("launchType"), service["runningCount"]) == (None, 3)
    ecs.delete_service(cluster="web", service="newest", force=True)
