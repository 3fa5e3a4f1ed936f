"""Training jobs of an environment: deployed, submitted, followed, stopped and submitted again."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from hint_commands import commands_in

from local_aws.clock import CLOCK
from neuron_cluster.aws.session import LocalTarget, client

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
NAME = "sagemaker-finetune"
OTHER = {
    "name": "pretrain",
    "team": "speech",
    "image": "763104351884.dkr.ecr.us-west-2.amazonaws.com/trainer:1",
    "instance_type": "ml.trn1.2xlarge",
    "capacity": {"kind": "spot", "max_wait_hours": 48},
}

Command = Callable[..., Any]


class Training:
    """The environment on the local AWS."""

    def __init__(self, project: Path, command: Command, target: LocalTarget, deployed: list[str]) -> None:
        self._deployed = deployed
        self.file = project / "environments" / f"{NAME}.yaml"
        self._command, self._target = command, target
        self.tree = yaml.safe_load((ROOT / "environments" / f"{NAME}.yaml").read_text("utf-8"))

    def deploy(self) -> None:
        """Deploys the file, unless it is deployed already."""
        text = yaml.safe_dump(self.tree)
        self.file.write_text(text)
        if self._deployed[-1:] != [text]:
            ran = self._command("deploy", "--local", NAME)
            assert ran.status == 0, ran.document
            self._deployed.append(text)

    def workload(self, verb: str, name: str, *arguments: str) -> Any:
        return self._command("workload", verb, name, NAME, "--local", *arguments)

    def run(self, *arguments: str) -> Any:
        return self._command(*arguments, "--local")

    def client(self, service: str) -> Any:
        return client(self._target, service)

    def job(self, name: str) -> dict[str, Any]:
        return dict(self.client("sagemaker").describe_training_job(TrainingJobName=name))


@pytest.fixture(autouse=True)
def earlier_jobs_have_ended() -> None:
    """The local AWS is that of the module, and a job of the file runs once at a time."""
    CLOCK.advance(timedelta(days=1))


@pytest.fixture(scope="module")
def deployed() -> list[str]:
    """The files that were deployed, the newest last."""
    return []


@pytest.fixture
def training(project: Path, command: Command, target: LocalTarget, deployed: list[str]) -> Training:
    return Training(project, command, target, deployed)


@pytest.mark.usefixtures("local_aws")
def test_jobs_are_submitted_followed_stopped_and_submitted_again(training: Training) -> None:
    training.tree["sagemaker_training"]["jobs"].append(OTHER)
    training.file.write_text(yaml.safe_dump(training.tree))
    ran = training.workload("submit", "finetune")
    assert (ran.status, "there is no stack" in str(ran.document)) == (1, True)
    training.deploy()

    assert training.workload("submit", "finetune", "--job-name", "first").document["job_id"] == "first"
    job, outputs = training.job("first"), outputs_of(training)
    assert job["RoleArn"] == f"arn:aws:iam::111122223333:role/{outputs['RoleShared']}"
    assert job["VpcConfig"] == {
        "SecurityGroupIds": [outputs["SecurityGroupId"]],
        "Subnets": [outputs["SubnetUsw2Az4"]],
    }
    assert "${" not in str(job)

    status = training.workload("status", "first").document
    assert (status["state"], status["secondary_status"]) == ("InProgress", "Training")
    checkpoints = status["checkpoints"]
    assert checkpoints == f"s3://{outputs['CheckpointBucket']}/sagemaker/jobs/shared/finetune/checkpoints/"
    assert len(training.workload("logs", "first").document["logs"]) == 4  # two lines of each of two instances

    running = training.run("workload", "list", NAME, "--running").document
    (row,) = (row for row in running["jobs"] if row["training_job"] == "first")
    assert (running["environment"], row["job"], row["team"]) == (NAME, "finetune", None)

    sections = training.run("status", NAME).document["sections"]
    (jobs,) = (section for section in sections if section["title"] == "Training jobs")
    assert "first" in {line["subject"] for line in jobs["lines"]}

    second = training.workload("submit", "finetune", "--job-name", "second")
    assert (second.status, "first has not ended" in str(second.document)) == (1, True)
    assert training.workload("stop", "first", "--yes").document["state"] == "Stopping"
    CLOCK.advance(timedelta(minutes=3))
    assert training.workload("status", "first").document["state"] == "Stopped"
    again = training.workload("submit", "finetune", "--job-name", "first")
    assert (again.status, "ResourceInUse" in str(again.document)) == (1, True)
    training.workload("submit", "finetune", "--job-name", "second")
    assert training.job("second")["CheckpointConfig"]["S3Uri"] == checkpoints

    training.workload("submit", "pretrain", "--job-name", "third")
    third = training.job("third")
    assert third["RoleArn"].endswith(outputs["RoleTeamSpeech"])
    assert (third["EnableManagedSpotTraining"], len(third["VpcConfig"]["Subnets"])) == (True, 2)


@pytest.mark.usefixtures("local_aws")
def test_a_file_that_is_newer_than_the_stack_names_what_is_missing(training: Training) -> None:
    training.deploy()
    training.tree["sagemaker_training"]["jobs"].append(OTHER)
    training.file.write_text(yaml.safe_dump(training.tree))
    ran = training.workload("submit", "pretrain")
    assert ran.status == 1
    assert "has no output RoleTeamSpeech and SubnetUsw2Az1" in str(ran.document)


def outputs_of(training: Training) -> dict[str, str]:
    (stack,) = training.client("cloudformation").describe_stacks(StackName=f"{NAME}-training")["Stacks"]
    return {each["OutputKey"]: each["OutputValue"] for each in stack["Outputs"]}


@pytest.mark.usefixtures("local_aws")
def test_the_launcher_is_uploaded_once_and_the_job_finds_it(training: Training) -> None:
    training.deploy()
    for name in ("uploads-1", "uploads-2"):
        assert training.workload("submit", "finetune", "--job-name", name).status == 0
        CLOCK.advance(timedelta(hours=1))  # it has ended
    (channel,) = training.job("uploads-2")["InputDataConfig"]
    bucket, _, prefix = channel["DataSource"]["S3DataSource"]["S3Uri"].removeprefix("s3://").partition("/")
    versions = training.client("s3").list_object_versions(Bucket=bucket, Prefix=prefix)["Versions"]
    names = [version["Key"].removeprefix(prefix) for version in versions]
    assert "on_sagemaker.py" in names
    assert len(set(names)) == len(names)


@pytest.mark.usefixtures("local_aws")
def test_a_job_of_others_is_neither_shown_nor_stopped(training: Training) -> None:
    training.deploy()
    training.workload("submit", "finetune", "--job-name", "of-others")
    arn = training.job("of-others")["TrainingJobArn"]
    training.client("sagemaker").add_tags(
        ResourceArn=arn, Tags=[{"Key": "neuron-cluster:environment", "Value": "another"}]
    )
    for verb, arguments in (("status", ()), ("logs", ()), ("stop", ("--yes",))):
        ran = training.workload(verb, "of-others", *arguments)
        assert (ran.status, f"none of {NAME}" in str(ran.document)) == (1, True), verb
    assert training.job("of-others")["TrainingJobStatus"] == "InProgress"


@pytest.mark.hints("E9571")
def test_an_environment_is_not_destroyed_while_its_jobs_run(training: Training, run_aws: Callable[[str], None]) -> None:
    """They would go on without their role, and hold the security group."""
    training.deploy()
    started = training.workload("submit", "finetune").document["job_id"]
    ran = training.run("destroy", NAME)
    (error,) = (each for each in ran.document["findings"] if each["severity"] == "error")
    assert (ran.status, error["id"], started in error["message"]) == (1, "E9571", True)
    assert training.job(started)["TrainingJobStatus"] == "InProgress"
    (stop,) = commands_in(error["hint"])
    run_aws(stop)
    assert training.run("destroy", NAME).status == 1, "it uploads its checkpoint first"
    CLOCK.advance(timedelta(hours=1))
    assert training.job(started)["TrainingJobStatus"] == "Stopped"
    assert training.run("destroy", NAME).status == 0
