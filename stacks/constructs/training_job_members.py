"""The policy of the people of one team for its training jobs."""

from __future__ import annotations

from typing import Any

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.environment_tag import ENVIRONMENT_TAG
from neuron_cluster.plan.team import TEAM_TAG
from neuron_cluster.schedulers.sagemaker.api_job import LOG_GROUP
from neuron_cluster.schedulers.sagemaker.sagemaker_plan import SHARED, owner_prefix
from neuron_cluster.sections.sagemaker_training.stacks import TRAINING


def member_statements(
    plan: ClusterPlan, owner: str, *, role_arn: str, bucket_arn: str, key_arn: str
) -> list[dict[str, Any]]:
    """Statements of the policy: jobs with the tags of environment and team, and the role of the team alone."""
    place = f"{plan.region}:{plan.account}"
    jobs = f"arn:{plan.partition}:sagemaker:{place}:training-job/*"
    stack = f"arn:{plan.partition}:cloudformation:{place}:stack/{plan.stack_name(TRAINING.stack_key)}/*"
    group = f"arn:{plan.partition}:logs:{place}:log-group:{LOG_GROUP}"
    on_key = {
        "kms:ViaService": f"s3.{plan.region}.amazonaws.com",
        "kms:EncryptionContext:aws:s3:arn": bucket_arn,
    }
    return [
        _allow(["sagemaker:CreateTrainingJob"], jobs, **_with_tags(plan, owner, "Request")),
        # Tags of a new job alone: a member who could tag the job of another team would then own it.
        _allow(["sagemaker:AddTags"], jobs, StringEquals={"sagemaker:TaggingAction": "CreateTrainingJob"}),
        _allow(
            ["sagemaker:DescribeTrainingJob", "sagemaker:StopTrainingJob"], jobs, **_with_tags(plan, owner, "Resource")
        ),
        _allow(["sagemaker:ListTags"], jobs),
        _allow(["sagemaker:ListTrainingJobs"], "*"),
        _allow(["iam:PassRole"], role_arn, StringEquals={"iam:PassedToService": "sagemaker.amazonaws.com"}),
        _allow(["cloudformation:DescribeStacks"], stack),
        _allow(["logs:FilterLogEvents"], [group, f"{group}:*"]),
        _allow(["s3:PutObject"], f"{bucket_arn}/{owner_prefix(owner)}launcher/*"),
        _allow(["kms:GenerateDataKey"], key_arn, StringEquals=on_key),
    ]


def _with_tags(plan: ClusterPlan, owner: str, of: str) -> dict[str, dict[str, str]]:
    """Conditions on the tags of a request or a resource; jobs without a team have none of a team."""
    environment, team = {f"aws:{of}Tag/{ENVIRONMENT_TAG}": plan.name}, f"aws:{of}Tag/{TEAM_TAG}"
    if owner == SHARED:
        return {"StringEquals": environment, "Null": {team: "true"}}
    return {"StringEquals": {**environment, team: owner}}


def _allow(actions: list[str], resource: str | list[str], **conditions: dict[str, str]) -> dict[str, Any]:
    statement = {"Effect": "Allow", "Action": actions, "Resource": resource}
    return {**statement, "Condition": conditions} if conditions else statement
