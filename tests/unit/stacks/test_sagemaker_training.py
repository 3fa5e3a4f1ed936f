"""The stack of training jobs: roles by team, one security group, and no job."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from neuron_cluster.schedulers.sagemaker.request import request_of
from neuron_cluster.schedulers.sagemaker.sagemaker_plan import SageMakerTrainingPlan
from neuron_cluster.schedulers.sagemaker.stack_outputs import outputs_of_job

NAME, STACK = "sagemaker-finetune", "training"
JOB = "sagemaker_training.jobs.0"
OTHER = {
    "name": "pretrain",
    "team": "speech",
    "image": "444455556666.dkr.ecr.us-west-2.amazonaws.com/team/trainer:1",
    "instance_type": "ml.trn1.32xlarge",
    "channels": [{"name": "train", "s3": "s3://tokens/train/"}],
}
INGRESS, EGRESS = "AWS::EC2::SecurityGroupIngress", "AWS::EC2::SecurityGroupEgress"

StackOf = Callable[..., Any]


def roles(stack: Any) -> dict[str, dict[str, Any]]:
    """Properties of roles by the owner that their description ends with."""
    found = stack.find_resources("AWS::IAM::Role").values()
    return {role["Properties"]["Description"].rpartition(", ")[2]: role["Properties"] for role in found}


def statements(role: dict[str, Any]) -> list[dict[str, Any]]:
    return [each for policy in role["Policies"] for each in policy["PolicyDocument"]["Statement"]]


def suffixes(resource: Any) -> set[str]:
    """Last texts of ARNs that are joined of several parts, or whole ARNs."""
    resources = resource if isinstance(resource, list) else [resource]
    return {
        each["Fn::Join"][1][-1] if isinstance(each, dict) and "Fn::Join" in each else str(each) for each in resources
    }


def test_no_job_is_in_the_stack(stack_of: StackOf) -> None:
    types = {each["Type"] for each in stack_of(NAME, STACK).to_json()["Resources"].values()}
    assert types == {"AWS::IAM::Role", "AWS::IAM::ManagedPolicy"}


def test_sagemaker_of_the_own_account_alone_assumes_a_role(stack_of: StackOf) -> None:
    (role,) = roles(stack_of(NAME, STACK)).values()
    (statement,) = role["AssumeRolePolicyDocument"]["Statement"]
    assert statement["Principal"] == {"Service": "sagemaker.amazonaws.com"}
    assert statement["Condition"] == {"StringEquals": {"aws:SourceAccount": "111122223333"}}


def test_a_team_writes_to_its_own_prefix_alone(stack_of: StackOf) -> None:
    found = roles(stack_of(NAME, STACK, {f"{JOB}.team": "research", "sagemaker_training.jobs.1": OTHER}))
    for owner in ("research", "speech"):
        writes = [each for each in statements(found[owner]) if "s3:DeleteObject" in each["Action"]]
        assert [suffixes(each["Resource"]) for each in writes] == [{f"/sagemaker/jobs/{owner}/*"}]
    reads = [each for each in statements(found["research"]) if each["Action"] == "s3:GetObject"]
    assert "/sagemaker/jobs/speech/*" not in {each for read in reads for each in suffixes(read["Resource"])}
    assert "s3:DeleteObjectVersion" not in str(found)


def test_images_and_channels_are_those_of_the_jobs_of_the_team(stack_of: StackOf) -> None:
    found = roles(stack_of(NAME, STACK, {f"{JOB}.team": "research", "sagemaker_training.jobs.1": OTHER}))
    repository = "arn:aws:ecr:us-west-2:444455556666:repository/team/trainer"
    assert [repository in str(found[owner]) for owner in ("research", "speech")] == [False, True]
    assert ["arn:aws:s3:::tokens/train/*" in str(found[owner]) for owner in ("research", "speech")] == [False, True]


def test_jobs_reach_each_other_on_every_port_and_no_rule_admits_an_address(stack_of: StackOf) -> None:
    """In the network stack: a rule that another stack adds to a group is drift."""
    network = stack_of(NAME, "network")
    (jobs,) = (
        name
        for name, group in network.find_resources("AWS::EC2::SecurityGroup").items()
        if group["Properties"]["GroupDescription"] == "SageMaker training jobs"
    )
    own = {"Fn::GetAtt": [jobs, "GroupId"]}
    for kind, other in ((INGRESS, "SourceSecurityGroupId"), (EGRESS, "DestinationSecurityGroupId")):
        rules = [each["Properties"] for each in network.find_resources(kind).values()]
        assert [rule for rule in rules if rule["GroupId"] == own and "CidrIp" in rule] == []
        assert [rule["IpProtocol"] for rule in rules if rule["GroupId"] == rule[other] == own] == ["-1"]
        ports = {rule.get("FromPort") for rule in rules if rule["GroupId"] == own}
        assert ports == ({None, 988, 1018} if kind == INGRESS else {None, 443, 988, 1018})


def test_other_environments_have_no_group_of_training_jobs(stack_of: StackOf) -> None:
    groups = stack_of("slurm-trn1", "network").find_resources("AWS::EC2::SecurityGroup").values()
    assert "SageMaker training jobs" not in {group["Properties"]["GroupDescription"] for group in groups}


def test_every_placeholder_of_a_request_is_an_output(plan_of: Callable[..., Any], stack_of: StackOf) -> None:
    edits = {
        f"{JOB}.channels": [{"name": "text", "lustre": "/text"}, {"name": "train", "s3": "s3://tokens/train/"}],
        f"{JOB}.team": "research",
        "storage.lustre": {"availability_zone": "usw2-az1", "capacity_gib": 1200},
    }
    plan = plan_of(NAME, edits)
    training = plan.provider(SageMakerTrainingPlan)
    text = str(request_of(training.jobs[0], training, plan, "finetune-1"))
    names = outputs_of_job(training.jobs[0])
    assert sorted(name for name in names if f"${{{name}}}" not in text) == []
    assert text.count("${") == sum(text.count(f"${{{name}}}") for name in names)
    assert set(names) <= set(stack_of(NAME, STACK, edits).to_json()["Outputs"])


def test_members_submit_jobs_of_their_team_with_its_role_alone(stack_of: StackOf) -> None:
    stack = stack_of(NAME, STACK, {f"{JOB}.team": "research"})
    (policy,) = stack.find_resources("AWS::IAM::ManagedPolicy").values()
    by_action = {
        action: statement
        for statement in policy["Properties"]["PolicyDocument"]["Statement"]
        for action in (statement["Action"] if isinstance(statement["Action"], list) else [statement["Action"]])
    }
    (role,) = stack.find_resources("AWS::IAM::Role")
    assert by_action["iam:PassRole"]["Resource"] == {"Fn::GetAtt": [role, "Arn"]}
    assert by_action["iam:PassRole"]["Condition"] == {
        "StringEquals": {"iam:PassedToService": "sagemaker.amazonaws.com"}
    }
    for action, of in (("CreateTrainingJob", "Request"), ("StopTrainingJob", "Resource")):
        assert by_action[f"sagemaker:{action}"]["Condition"] == {
            "StringEquals": {
                f"aws:{of}Tag/neuron-cluster:environment": NAME,
                f"aws:{of}Tag/neuron-cluster:team": "research",
            }
        }
    assert by_action["sagemaker:AddTags"]["Condition"] == {
        "StringEquals": {"sagemaker:TaggingAction": "CreateTrainingJob"}
    }
    assert suffixes(by_action["s3:PutObject"]["Resource"]) == {"/sagemaker/jobs/research/launcher/*"}
    assert "s3:GetObject" not in by_action


def test_members_without_a_team_reach_no_job_of_a_team(stack_of: StackOf) -> None:
    (policy,) = stack_of(NAME, STACK).find_resources("AWS::IAM::ManagedPolicy").values()
    limits = [
        statement["Condition"]["Null"]
        for statement in policy["Properties"]["PolicyDocument"]["Statement"]
        if "Null" in statement.get("Condition", {})
    ]
    assert limits == [{f"aws:{of}Tag/neuron-cluster:team": "true"} for of in ("Request", "Resource")]
