"""What AWS PCS refuses, call by call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Refused = Callable[..., tuple[str, str]]
CLUSTER = {
    "clusterName": "slurm",
    "networking": {"subnetIds": ["subnet-11111111"], "securityGroupIds": ["sg-11111111"]},
    "scheduler": {"type": "SLURM", "version": "25.05"},
    "size": "SMALL",
}


@pytest.fixture
def pcs(client: Callable[[str], Any]) -> Any:
    return client("pcs")


@pytest.fixture
def cluster(pcs: Any) -> str:
    """Id of a cluster."""
    return str(pcs.create_cluster(**CLUSTER)["cluster"]["id"])


def test_a_name_is_used_once(pcs: Any, refused: Refused, cluster: str) -> None:
    answer, message = refused(pcs.create_cluster, **CLUSTER)
    assert (answer, message) == ("ConflictException", "Cluster slurm already exists")
    assert [each["id"] for each in pcs.list_clusters()["clusters"]] == [cluster]


def test_a_queue_names_node_groups_that_exist(pcs: Any, refused: Refused, cluster: str) -> None:
    groups = [{"computeNodeGroupId": "pcs_none"}]
    wish = {"clusterIdentifier": cluster, "queueName": "long", "computeNodeGroupConfigurations": groups}
    answer, message = refused(pcs.create_queue, **wish)
    assert (answer, "pcs_none does not exist" in message) == ("ValidationException", True)
    assert pcs.list_queues(clusterIdentifier=cluster)["queues"] == []


def test_a_cluster_with_a_queue_is_not_deleted(pcs: Any, refused: Refused, cluster: str) -> None:
    queue = pcs.create_queue(clusterIdentifier=cluster, queueName="long")["queue"]["id"]
    answer, message = refused(pcs.delete_cluster, clusterIdentifier=cluster)
    assert (answer, "has a Queue" in message) == ("ConflictException", True)
    pcs.delete_queue(clusterIdentifier=cluster, queueIdentifier=queue)
    pcs.delete_cluster(clusterIdentifier=cluster)
    assert pcs.list_clusters()["clusters"] == []


def test_tags_need_a_resource(pcs: Any, refused: Refused, cluster: str) -> None:
    arn = pcs.get_cluster(clusterIdentifier=cluster)["cluster"]["arn"]
    pcs.tag_resource(resourceArn=arn, tags={"team": "a"})
    assert pcs.list_tags_for_resource(resourceArn=arn)["tags"] == {"team": "a"}
    answer, _ = refused(pcs.tag_resource, resourceArn=arn.replace(cluster, "pcs_none"), tags={"team": "a"})
    assert answer == "ResourceNotFoundException"
