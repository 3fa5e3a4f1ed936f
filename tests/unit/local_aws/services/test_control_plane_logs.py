"""The control plane's log group: EKS makes it when it is missing, and once more after its cluster has gone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

GROUP = "/aws/eks/logged/cluster"
Clients = Callable[[str], Any]


@pytest.fixture
def logs(client: Clients) -> Iterator[Any]:
    logs = client("logs")
    yield logs
    while groups(logs):  # a cluster's last lines bring it once more
        logs.put_log_group_deletion_protection(logGroupIdentifier=GROUP, deletionProtectionEnabled=False)
        logs.delete_log_group(logGroupName=GROUP)


def logged_cluster(eks: Any, ground: Any, *types: str) -> None:
    on = [{"types": list(types), "enabled": True}] if types else []
    eks.create_cluster(
        name="logged",
        version="1.35",
        roleArn=ground.cluster_role,
        resourcesVpcConfig={"subnetIds": ground.subnets},
        logging={"clusterLogging": on},
    )


def groups(logs: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = logs.describe_log_groups(logGroupNamePrefix=GROUP)["logGroups"]
    return found


def test_eks_makes_the_group_without_a_key_and_without_an_end(eks: Any, ground: Any, logs: Any) -> None:
    logged_cluster(eks, ground, "audit")
    (group,) = groups(logs)
    assert not {"kmsKeyId", "retentionInDays"} & {name for name, value in group.items() if value}
    logs.delete_log_group(logGroupName=GROUP)
    assert groups(logs), "the control plane goes on writing"
    eks.delete_cluster(name="logged")


def test_after_the_cluster_has_gone_the_group_comes_once_more(eks: Any, ground: Any, logs: Any) -> None:
    logged_cluster(eks, ground, "audit")
    eks.delete_cluster(name="logged")
    logs.delete_log_group(logGroupName=GROUP)
    assert groups(logs), "the last lines"
    logs.delete_log_group(logGroupName=GROUP)
    assert groups(logs) == []


def test_without_logs_there_is_no_group_until_they_are_switched_on(eks: Any, ground: Any, logs: Any) -> None:
    logged_cluster(eks, ground)
    assert groups(logs) == []
    eks.update_cluster_config(name="logged", logging={"clusterLogging": [{"types": ["api"], "enabled": True}]})
    assert len(groups(logs)) == 1
    eks.delete_cluster(name="logged")


def test_a_protected_group_is_not_deleted(logs: Any, refused: Callable[..., tuple[str, str]]) -> None:
    logs.create_log_group(logGroupName=GROUP)
    logs.put_log_group_deletion_protection(logGroupIdentifier=GROUP, deletionProtectionEnabled=True)
    assert groups(logs)[0]["deletionProtectionEnabled"] is True
    code, text = refused(logs.delete_log_group, logGroupName=GROUP)
    assert (code, GROUP in text) == ("ValidationException", True)
    missing = "/aws/eks/missing/cluster"
    assert refused(logs.delete_log_group, logGroupName=missing)[0] == "ResourceNotFoundException"
