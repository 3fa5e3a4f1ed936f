"""Client tokens of services whose resources are kept in tables: a request that comes again makes nothing more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Clients = Callable[[str], Any]
Refused = Callable[..., tuple[str, str]]
CLUSTER = {
    "clusterName": "slurm",
    "networking": {"subnetIds": ["subnet-11111111"], "securityGroupIds": ["sg-11111111"]},
    "scheduler": {"type": "SLURM", "version": "25.05"},
    "size": "SMALL",
}
COMPONENT = {"name": "tools", "semanticVersion": "1.0.0", "platform": "Linux", "data": "name: tools"}


@pytest.fixture
def pcs(client: Clients) -> Any:
    return client("pcs")


def test_a_request_that_comes_again_is_answered_as_before(pcs: Any, refused: Refused) -> None:
    made, again = (pcs.create_cluster(**CLUSTER, clientToken="creation") for _ in range(2))
    assert again["cluster"] == made["cluster"]
    assert len(pcs.list_clusters()["clusters"]) == 1
    named = {"clusterIdentifier": made["cluster"]["id"]}
    for _ in range(2):
        pcs.delete_cluster(**named, clientToken="deletion")
    assert pcs.list_clusters()["clusters"] == []
    assert refused(pcs.delete_cluster, **named, clientToken="another-deletion")[0] == "ResourceNotFoundException"


def test_a_token_is_of_one_operation(pcs: Any, refused: Refused) -> None:
    cluster = pcs.create_cluster(**CLUSTER, clientToken="the-first")["cluster"]["id"]
    queue = pcs.create_queue(clusterIdentifier=cluster, queueName="long", clientToken="the-first")["queue"]
    assert pcs.list_queues(clusterIdentifier=cluster)["queues"][0]["id"] == queue["id"]
    assert refused(pcs.create_cluster, **CLUSTER, clientToken="the-second")[0] == "ConflictException"


def test_a_request_that_failed_is_done_when_it_comes_again(pcs: Any, refused: Refused) -> None:
    asked = {"clusterIdentifier": "later", "queueName": "long", "clientToken": "not-yet-done"}
    assert refused(pcs.create_queue, **asked)[0] == "ResourceNotFoundException"
    pcs.create_cluster(**CLUSTER | {"clusterName": "later"})
    assert pcs.create_queue(**asked)["queue"]["name"] == "long"


def test_a_token_with_other_parameters_is_rejected_if_the_service_has_an_error(
    client: Clients, refused: Refused
) -> None:
    builder, backup = client("imagebuilder"), client("backup")
    first = builder.create_component(**COMPONENT, clientToken="once")["componentBuildVersionArn"]
    code, _ = refused(builder.create_component, **COMPONENT | {"name": "others"}, clientToken="once")
    assert code == "IdempotentParameterMismatchException"
    assert builder.create_component(**COMPONENT, clientToken="once")["componentBuildVersionArn"] == first
    plans = [
        backup.create_backup_plan(
            BackupPlan={"BackupPlanName": name, "Rules": [{"RuleName": "night", "TargetBackupVaultName": "Default"}]},
            CreatorRequestId="once",
        )["BackupPlanId"]
        for name in ("nightly", "weekly")
    ]
    assert plans[0] == plans[1], "Backup returns the plan of the token"
    assert len(backup.list_backup_plans()["BackupPlansList"]) == 1
