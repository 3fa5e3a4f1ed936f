"""Requests that services with resources in tables reject: PCS, S3 Files, AWS Backup, Budgets."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

Refused = Callable[..., tuple[str, str]]
INVALID = "InvalidParameterValueException"
CLUSTER = {
    "clusterName": "slurm",
    "networking": {"subnetIds": ["subnet-11111111"], "securityGroupIds": ["sg-11111111"]},
    "scheduler": {"type": "SLURM", "version": "25.05"},
    "size": "SMALL",
}
BUDGET = {
    "BudgetName": "team",
    "BudgetType": "COST",
    "TimeUnit": "MONTHLY",
    "BudgetLimit": {"Amount": "1", "Unit": "USD"},
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


def test_a_name_of_a_queue_is_used_once_in_a_cluster(pcs: Any, refused: Refused, cluster: str) -> None:
    second = pcs.create_cluster(**CLUSTER | {"clusterName": "second"})["cluster"]["id"]
    for each in (cluster, second):
        pcs.create_queue(clusterIdentifier=each, queueName="long")
    answer, message = refused(pcs.create_queue, clusterIdentifier=second, queueName="long")
    assert (answer, message) == ("ConflictException", "Queue long already exists")


def test_a_queue_names_node_groups_that_exist(pcs: Any, refused: Refused, cluster: str) -> None:
    groups = [{"computeNodeGroupId": "pcs_none"}]
    wish = {"clusterIdentifier": cluster, "queueName": "long", "computeNodeGroupConfigurations": groups}
    answer, message = refused(pcs.create_queue, **wish)
    assert (answer, "pcs_none does not exist" in message) == ("ValidationException", True)
    assert pcs.list_queues(clusterIdentifier=cluster)["queues"] == []


@pytest.mark.parametrize(
    ("edit", "text"),
    [
        (
            {"networking": {"subnetIds": ["subnet-11111111", "subnet-22222222"], "securityGroupIds": ["sg-11111111"]}},
            "one subnet",
        ),
        ({"slurmConfiguration": {"accounting": {"mode": "STANDARD", "defaultPurgeTimeInDays": 0}}}, "0 is not a valid"),
    ],
)
def test_a_cluster_has_one_subnet_and_a_time_of_purge(
    edit: dict[str, Any], text: str, pcs: Any, refused: Refused
) -> None:
    answer, message = refused(pcs.create_cluster, **CLUSTER | edit)
    assert (answer, text in message) == ("ValidationException", True)
    assert pcs.list_clusters()["clusters"] == []


def test_a_node_group_has_no_minimum_above_its_maximum(pcs: Any, refused: Refused, cluster: str) -> None:
    group = {
        "clusterIdentifier": cluster,
        "computeNodeGroupName": "trn1",
        "subnetIds": ["subnet-11111111"],
        "iamInstanceProfileArn": "arn:aws:iam::300000000000:instance-profile/AWSPCS-nodes",
        "instanceConfigs": [{"instanceType": "trn1.32xlarge"}],
    }
    answer, message = refused(
        pcs.create_compute_node_group, **group, scalingConfiguration={"minInstanceCount": 2, "maxInstanceCount": 1}
    )
    assert (answer, "minInstanceCount (2)" in message) == ("ValidationException", True)
    pcs.create_compute_node_group(**group, scalingConfiguration={"minInstanceCount": 1, "maxInstanceCount": 1})


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


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ({"Lifecycle": {"DeleteAfterDays": 0}}, "DeleteAfterDays cannot be less than 1 or more than 36500 days"),
        ({"Lifecycle": {"MoveToColdStorageAfterDays": 30, "DeleteAfterDays": 119}}, "90 days apart from MoveToCold"),
        (
            {"EnableContinuousBackup": True, "Lifecycle": {"MoveToColdStorageAfterDays": 1}},
            "MoveToColdStorageAfterDays is unavailable",
        ),
        ({"StartWindowMinutes": 59}, "at least 60 minutes"),
        ({"StartWindowMinutes": 90, "CompletionWindowMinutes": 149}, "60 minutes greater than StartWindowMinutes"),
        ({"ScheduleExpression": "rate(1 day)"}, "Invalid schedule expression"),
        ({"ScheduleExpression": "cron(0 5 * * * *)"}, "Invalid schedule expression"),
    ],
)
def test_a_rule_of_a_plan_is_rejected(
    client: Callable[[str], Any], refused: Refused, rule: dict[str, Any], text: str
) -> None:
    night = {"RuleName": "night", "TargetBackupVaultName": "Default"}
    plan = {"BackupPlanName": "nightly", "Rules": [{**night, **rule}]}
    code, message = refused(client("backup").create_backup_plan, BackupPlan=plan)
    assert (code, message.startswith("Error in rule night : "), text in message) == (INVALID, True, True)


def test_a_rule_at_its_limits_is_kept(client: Callable[[str], Any]) -> None:
    rule = {
        "RuleName": "night",
        "TargetBackupVaultName": "Default",
        "ScheduleExpression": "cron(0 5 ? * * *)",
        "StartWindowMinutes": 60,
        "CompletionWindowMinutes": 120,
        "Lifecycle": {"MoveToColdStorageAfterDays": 30, "DeleteAfterDays": 120},
    }
    made = client("backup").create_backup_plan(BackupPlan={"BackupPlanName": "nightly", "Rules": [rule]})
    kept = client("backup").get_backup_plan(BackupPlanId=made["BackupPlanId"])["BackupPlan"]["Rules"][0]
    assert {name: kept[name] for name in rule} == rule


@pytest.mark.parametrize(
    "lock", [{"ChangeableForDays": 2}, {"ChangeableForDays": 36501}, {"MinRetentionDays": 9, "MaxRetentionDays": 8}]
)
def test_a_lock_of_a_vault_is_rejected(client: Callable[[str], Any], refused: Refused, lock: dict[str, int]) -> None:
    backup = client("backup")
    backup.create_backup_vault(BackupVaultName="locked")
    assert refused(backup.put_backup_vault_lock_configuration, BackupVaultName="locked", **lock)[0] == INVALID
    assert backup.describe_backup_vault(BackupVaultName="locked")["Locked"] is False
    within = {"ChangeableForDays": 3, "MinRetentionDays": 8, "MaxRetentionDays": 8}
    backup.put_backup_vault_lock_configuration(BackupVaultName="locked", **within)


def test_a_selection_has_resources_and_a_role_that_backup_can_assume(
    client: Callable[[str], Any], refused: Refused, ground: Any
) -> None:
    backup, iam = client("backup"), client("iam")
    rules = [{"RuleName": "night", "TargetBackupVaultName": "Default"}]
    plan = backup.create_backup_plan(BackupPlan={"BackupPlanName": "p", "Rules": rules})["BackupPlanId"]
    trust = {"Effect": "Allow", "Principal": {"Service": "backup.amazonaws.com"}, "Action": "sts:AssumeRole"}
    document = json.dumps({"Version": "2012-10-17", "Statement": [trust]})
    role = iam.create_role(RoleName="backups", AssumeRolePolicyDocument=document)["Role"]["Arn"]
    selection = {"SelectionName": "all", "IamRoleArn": role, "Resources": ["*"]}
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"Resources": []}, "Either 'ListOfTags' or 'Resources' section must be non-empty"),
        ({"IamRoleArn": ground.cluster_role}, "cannot be assumed by AWS Backup"),
        ({"IamRoleArn": role.replace("role/", "role/other/")}, "cannot be assumed by AWS Backup"),
    ]
    for members, text in wrong:
        asked = {"BackupPlanId": plan, "BackupSelection": {**selection, **members}}
        code, message = refused(backup.create_backup_selection, **asked)
        assert (code, text in message) == (INVALID, True)
    backup.create_backup_selection(BackupPlanId=plan, BackupSelection=selection)
    iam.delete_role(RoleName="backups")


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
    ("more", "text"),
    [
        ({"Metrics": ["UnblendedCost"], "CostTypes": {"UseBlended": True}}, "CostTypes"),
        ({"PlannedBudgetLimits": {"1767225600": {"Amount": "1", "Unit": "USD"}}}, "PlannedBudgetLimits"),
        ({"BudgetLimit": None}, "BudgetLimit is required for budgets of the type COST"),
        ({"BudgetName": "a:b"}, "Invalid BudgetName"),
        ({"BudgetName": "a/action/b"}, "Invalid BudgetName"),
    ],
)
def test_a_budget_is_refused(client: Callable[[str], Any], refused: Refused, more: Any, text: str) -> None:
    budgets, account = client("budgets"), {"AccountId": "300000000000"}
    wrong = {name: value for name, value in {**BUDGET, **more}.items() if value is not None}
    answer, message = refused(budgets.create_budget, Budget=wrong, **account)
    assert (answer, text in message) == ("InvalidParameterException", True)
    budgets.create_budget(Budget=BUDGET, **account)
    assert refused(budgets.create_budget, Budget=BUDGET, **account)[0] == "DuplicateRecordException"
    assert refused(budgets.update_budget, NewBudget=wrong, **account)[0] == "InvalidParameterException"


@pytest.mark.parametrize(
    ("addresses", "code"),
    [(("a@example.com", "a@example.com"), "DuplicateRecordException"), (("nobody",), "InvalidParameterException")],
)
def test_subscribers_of_a_budget_are_refused(
    client: Callable[[str], Any], refused: Refused, addresses: tuple[str, ...], code: str
) -> None:
    budgets, account = client("budgets"), {"AccountId": "300000000000"}
    above = {"NotificationType": "ACTUAL", "ComparisonOperator": "GREATER_THAN", "Threshold": 80.0}

    def notification(*those: str) -> list[dict[str, Any]]:
        subscribers = [{"SubscriptionType": "EMAIL", "Address": each} for each in those]
        return [{"Notification": above, "Subscribers": subscribers}]

    given = {"Budget": {**BUDGET, "BudgetName": "told"}, **account}
    wrong = notification("b@example.com", *addresses)
    assert refused(budgets.create_budget, **given, NotificationsWithSubscribers=wrong)[0] == code
    budgets.create_budget(**given, NotificationsWithSubscribers=notification("a@example.com", "b@example.com"))
    budgets.delete_budget(**account, BudgetName="told")


def test_budgets_of_other_types_and_those_that_follow_costs_need_no_limit(client: Callable[[str], Any]) -> None:
    budgets, account = client("budgets"), {"AccountId": "300000000000"}
    without = {name: value for name, value in BUDGET.items() if name != "BudgetLimit"}
    budgets.create_budget(Budget={**without, "AutoAdjustData": {"AutoAdjustType": "FORECAST"}}, **account)
    budgets.create_budget(Budget={**without, "BudgetName": "other", "BudgetType": "RI_UTILIZATION"}, **account)
    assert len(budgets.describe_budgets(**account)["Budgets"]) == 2


def test_notifications_of_a_budget_are_few(client: Callable[[str], Any], refused: Refused) -> None:
    budgets, account = client("budgets"), {"AccountId": "300000000000"}
    notification = {"NotificationType": "ACTUAL", "ComparisonOperator": "GREATER_THAN", "Threshold": 80.0}
    subscribed = {"Notification": notification, "Subscribers": [{"SubscriptionType": "EMAIL", "Address": "a@b.c"}]}
    answer, message = refused(
        budgets.create_budget, Budget=BUDGET, NotificationsWithSubscribers=[subscribed] * 6, **account
    )
    assert (answer, "five" in message) == ("CreationLimitExceededException", True)
    topics = [{"SubscriptionType": "SNS", "Address": f"arn:aws:sns:us-west-2:300000000000:{name}"} for name in "ab"]
    of_two = [{"Notification": notification, "Subscribers": topics}]
    answer, message = refused(budgets.create_budget, Budget=BUDGET, NotificationsWithSubscribers=of_two, **account)
    assert (answer, "type of SNS" in message) == ("CreationLimitExceededException", True)
    subscribed["Subscribers"] = [*subscribed["Subscribers"], topics[0]]
    budgets.create_budget(Budget=BUDGET, NotificationsWithSubscribers=[subscribed], **account)
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
