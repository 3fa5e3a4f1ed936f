"""What the services refuse whose resources are kept in tables: PCS, S3 Files, AWS Backup, Budgets."""

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


def test_a_plan_names_vaults_that_exist(client: Callable[[str], Any], refused: Refused) -> None:
    backup = client("backup")
    plan = {"BackupPlanName": "nightly", "Rules": [{"RuleName": "night", "TargetBackupVaultName": "none"}]}
    answer, message = refused(backup.create_backup_plan, BackupPlan=plan)
    assert (answer, "none does not exist" in message) == ("InvalidParameterValueException", True)
    backup.create_backup_vault(BackupVaultName="none")
    identity = backup.create_backup_plan(BackupPlan=plan)["BackupPlanId"]
    answer, _ = refused(backup.get_backup_selection, BackupPlanId=identity, SelectionId="none")
    assert answer == "ResourceNotFoundException"


def test_a_vault_has_one_name_and_no_policy_at_first(client: Callable[[str], Any], refused: Refused) -> None:
    backup = client("backup")
    backup.create_backup_vault(BackupVaultName="homes")
    assert refused(backup.create_backup_vault, BackupVaultName="homes")[0] == "AlreadyExistsException"
    answer, message = refused(backup.get_backup_vault_access_policy, BackupVaultName="homes")
    assert (answer, message) == ("ResourceNotFoundException", "BackupVault homes has none")
    backup.put_backup_vault_lock_configuration(BackupVaultName="homes", MinRetentionDays=7)
    assert backup.describe_backup_vault(BackupVaultName="homes")["Locked"]
    answer, message = refused(backup.list_report_plans)
    assert (answer, "moto is not asked" in message) == ("NotImplemented", True)


@pytest.mark.parametrize(
    ("more", "code", "words"),
    [
        ({"Metrics": ["UnblendedCost"], "CostTypes": {"UseBlended": True}}, "InvalidParameterException", "CostTypes"),
        (
            {"BudgetLimit": {"Amount": "1", "Unit": "USD"}, "PlannedBudgetLimits": {}},
            "InvalidParameterException",
            "PlannedBudgetLimits",
        ),
    ],
)
def test_a_budget_is_refused(client: Callable[[str], Any], refused: Refused, more: Any, code: str, words: str) -> None:
    budgets, account = client("budgets"), {"AccountId": "300000000000"}
    budget = {"BudgetName": "team", "BudgetType": "COST", "TimeUnit": "MONTHLY"}
    limits = {"1767225600": {"Amount": "1", "Unit": "USD"}}
    more = {name: value or limits for name, value in more.items()}
    answer, message = refused(budgets.create_budget, Budget={**budget, **more}, **account)
    assert (answer, words in message) == (code, True)
    budgets.create_budget(Budget=budget, **account)
    assert refused(budgets.create_budget, Budget=budget, **account)[0] == "DuplicateRecordException"
    assert refused(budgets.update_budget, NewBudget={**budget, **more}, **account)[0] == code


def test_notifications_of_a_budget_are_few(client: Callable[[str], Any], refused: Refused) -> None:
    budgets, account = client("budgets"), {"AccountId": "300000000000"}
    budget = {"BudgetName": "team", "BudgetType": "COST", "TimeUnit": "MONTHLY"}
    notification = {"NotificationType": "ACTUAL", "ComparisonOperator": "GREATER_THAN", "Threshold": 80.0}
    subscribed = {"Notification": notification, "Subscribers": [{"SubscriptionType": "EMAIL", "Address": "a@b.c"}]}
    answer, message = refused(
        budgets.create_budget, Budget=budget, NotificationsWithSubscribers=[subscribed] * 6, **account
    )
    assert (answer, "five" in message) == ("CreationLimitExceededException", True)
    budgets.create_budget(Budget=budget, NotificationsWithSubscribers=[subscribed], **account)
    named = {"BudgetName": "team", "Notification": {**notification, "Threshold": 90.0}, **account}
    assert refused(budgets.describe_subscribers_for_notification, **named)[0] == "NotFoundException"


def test_a_zone_has_one_mount_target_of_a_file_system(client: Callable[[str], Any], refused: Refused) -> None:
    files, ec2 = client("s3files"), client("ec2")
    role = "arn:aws:iam::300000000000:role/files"
    identity = files.create_file_system(bucket="arn:aws:s3:::data", roleArn=role)["fileSystemId"]
    vpc = ec2.create_vpc(CidrBlock="10.8.0.0/16")["Vpc"]["VpcId"]
    subnet = ec2.create_subnet(VpcId=vpc, CidrBlock="10.8.1.0/24")["Subnet"]["SubnetId"]
    target = {"fileSystemId": identity, "subnetId": subnet}
    assert files.create_mount_target(**target)["vpcId"] == vpc
    assert refused(files.create_mount_target, **target)[0] == "ConflictException"
    answer, _ = refused(files.create_mount_target, fileSystemId=identity, subnetId="subnet-11111111")
    assert answer == "ResourceNotFoundException"
    answer, message = refused(files.delete_file_system, fileSystemId=identity)
    assert (answer, "has a MountTarget" in message) == ("ConflictException", True)
    answer, message = refused(files.list_mount_targets, accessPointId="fsap-11111111111111111")
    assert (answer, "no filter accessPointId" in message) == ("NotImplemented", True)


def test_a_source_delivers_once_to_each_type_of_destination(client: Callable[[str], Any], refused: Refused) -> None:
    logs, cluster = client("logs"), "arn:aws:pcs:us-west-2:300000000000:cluster/pcs_1"
    answer, message = refused(logs.put_delivery_source, name="s", resourceArn=cluster, logType="ACCESS_LOGS")
    assert (answer, "ACCESS_LOGS" in message) == ("ValidationException", True)
    tags = {"team": "a"}
    source = logs.put_delivery_source(name="s", resourceArn=cluster, logType="PCS_SCHEDULER_LOGS", tags=tags)
    logs.put_delivery_source(name="s", resourceArn=cluster, logType="PCS_JOBCOMP_LOGS")
    assert logs.list_tags_for_resource(resourceArn=source["deliverySource"]["arn"])["tags"] == tags
    arns = [
        logs.put_delivery_destination(
            name=name, deliveryDestinationConfiguration={"destinationResourceArn": f"arn:aws:s3:::{name}"}
        )["deliveryDestination"]["arn"]
        for name in ("one", "other")
    ]
    logs.create_delivery(deliverySourceName="s", deliveryDestinationArn=arns[0])
    answer, _ = refused(logs.create_delivery, deliverySourceName="s", deliveryDestinationArn=arns[1])
    assert answer == "ConflictException"
    answer, message = refused(logs.create_delivery, deliverySourceName="s", deliveryDestinationArn=f"{arns[0]}-none")
    assert (answer, "one-none" in message) == ("ResourceNotFoundException", True)
    assert refused(logs.delete_delivery_source, name="s")[0] == "ConflictException"
