"""``neuron-cluster workload submit`` of a job, with login nodes on the local AWS."""

from __future__ import annotations

import base64
import contextlib
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from botocore.stub import Stubber
from hint_commands import command_error

from local_aws.server import LocalAws
from neuron_cluster.aws.session import AwsTarget, LocalTarget, client, close_clients
from neuron_cluster.deploy.local_server import announced
from neuron_cluster.local_checks.product_local_aws import product_local_aws
from tests.json_outputs import FORMAT, accepted_mutations

from .conftest import PROJECT, Command

ACCOUNT, REGION = "111122223333", "us-west-2"
OWN_ACCOUNT, NODE, COMMAND_ID = "210987654321", "i-0123456789abcdef0", str(uuid.UUID(int=7))
IMAGE = "/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-x86_64"
SUBMIT = ("workload", "submit", "check-collectives", "slurm-trn1")


@pytest.fixture(scope="module")
def aws() -> Iterator[LocalAws]:
    with product_local_aws() as running:
        yield running


@pytest.fixture
def target(aws: LocalAws) -> Iterator[LocalTarget]:
    made = LocalTarget(REGION, ACCOUNT, aws.endpoint)
    yield made
    close_clients(made)


@pytest.fixture(scope="module")
def project(aws: LocalAws, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    made = tmp_path_factory.mktemp("project")
    (made / "environments").mkdir()
    text = (PROJECT / "environments" / "slurm-trn1.yaml").read_text(encoding="utf-8")
    (made / "environments" / "slurm-trn1.yaml").write_text(text, encoding="utf-8")
    own = text.replace(ACCOUNT, OWN_ACCOUNT).replace("name: slurm-trn1", "name: own")
    (made / "environments" / "own.yaml").write_text(own, encoding="utf-8")
    (made / "cdk.json").write_text("{}")
    with announced(made, aws.endpoint):
        yield made


def launched(target: LocalTarget, name: str) -> str:
    tags = [{"ResourceType": "instance", "Tags": [{"Key": "Name", "Value": name}]}]
    image = client(target, "ssm").get_parameter(Name=IMAGE)["Parameter"]["Value"]
    made = client(target, "ec2").run_instances(
        ImageId=image, InstanceType="m7i.xlarge", MinCount=1, MaxCount=1, TagSpecifications=tags
    )
    return str(made["Instances"][0]["InstanceId"])


def commands(target: LocalTarget) -> list[dict[str, Any]]:
    return list(client(target, "ssm").list_commands()["Commands"])


@pytest.mark.parametrize("output", [(), FORMAT])
def test_the_script_reaches_the_login_node_and_no_scheduler_there_is_an_error(
    output: tuple[str, ...], command: Command, project: Path, target: LocalTarget
) -> None:
    launched(target, "slurm-trn1/trn1")
    stopped, node = launched(target, "slurm-trn1/login"), launched(target, "slurm-trn1/login")
    client(target, "ec2").terminate_instances(InstanceIds=[stopped])
    before = len(commands(target))
    ran = command(*SUBMIT, "--local", "--project", str(project), *output)
    client(target, "ec2").terminate_instances(InstanceIds=[node])
    assert ran.status == 1
    assert "Slurm returned no job id" in ran.out + " ".join(ran.err.split())
    assert f"Sent to {node} as command " in ran.err
    (sent,) = commands(target)[before:]
    assert node in sent["InstanceIds"], "moto adds all instances; tests/unit/deploy/test_job_submission.py is exact"
    (line,) = sent["Parameters"]["commands"]
    script = base64.b64decode(line.split()[1]).decode()
    assert script.startswith("#!/bin/bash\n")
    assert "#SBATCH --partition=training\n" in script


def test_without_a_login_node_nothing_is_sent(command: Command, project: Path, target: LocalTarget) -> None:
    before = len(commands(target))
    ran = command(*SUBMIT, "--local", "--project", str(project), *FORMAT)
    assert ran.status == 1
    assert [each["id"] for each in ran.document["findings"]] == ["E9564"]
    assert len(commands(target)) == before


def test_a_job_with_an_error_and_a_chart_reach_no_aws(
    command: Command, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "")
    place = ("--project", str(project))
    assert "E9413" in command(*SUBMIT, "--nodes", "99", *place).err
    chart = ("workload", "submit", "collectives-check", "train-trn1", "--namespace", "default", "--context", "c")
    ran = command(*chart, "--local", "--kubeconfig", str(project / "none"))
    assert (ran.status, f"there is no kubeconfig {project / 'none'}" in " ".join(ran.err.split())) == (1, True)


def test_the_example_account_is_not_submitted_to(command: Command, project: Path) -> None:
    ran = command(*SUBMIT, "--project", str(project), *FORMAT)
    assert (ran.status, [each["id"] for each in ran.document["findings"]]) == (1, ["E9502"])


@pytest.fixture
def answers() -> Iterator[dict[str, Stubber]]:
    """Recorded answers of AWS by service; every other call fails."""
    target = AwsTarget(REGION)
    with contextlib.ExitStack() as stack:
        yield {name: stack.enter_context(Stubber(client(target, name))) for name in ("sts", "ec2", "ssm")}
    close_clients(target)


def submit_on_aws(command: Command, project: Path, *more: str) -> Any:
    return command("workload", "submit", "check-collectives", "own", "--project", str(project), *more)


@pytest.mark.parametrize("output", [(), FORMAT])
def test_the_answer_of_slurm_is_printed_with_the_job_id(
    output: tuple[str, ...], command: Command, project: Path, answers: dict[str, Stubber]
) -> None:
    answers["sts"].add_response("get_caller_identity", {"Account": OWN_ACCOUNT})
    answers["ec2"].add_response("describe_instances", {"Reservations": [{"Instances": [{"InstanceId": NODE}]}]})
    answers["ssm"].add_response("send_command", {"Command": {"CommandId": COMMAND_ID}})
    printed = "Submitted batch job 42\n"
    answers["ssm"].add_response("get_command_invocation", {"Status": "Success", "StandardOutputContent": printed})
    ran = submit_on_aws(command, project, *output)
    assert ran.status == 0, ran.err
    assert f"Sent to {NODE} as command {COMMAND_ID}." in ran.err
    if output:
        found = ran.document
        assert accepted_mutations("workload submit", found) == []
        assert (found["instance"], found["command_id"], found["job_id"]) == (NODE, COMMAND_ID, "42")
        assert found["output"] == printed.strip()
    else:
        assert ran.out == f"{printed}Job 42 was submitted on {NODE}.\n"


def test_an_interruption_prints_how_to_see_the_result(
    command: Command, project: Path, answers: dict[str, Stubber], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers["sts"].add_response("get_caller_identity", {"Account": OWN_ACCOUNT})
    answers["ec2"].add_response("describe_instances", {"Reservations": [{"Instances": [{"InstanceId": NODE}]}]})
    answers["ssm"].add_response("send_command", {"Command": {"CommandId": COMMAND_ID}})
    answers["ssm"].add_response("get_command_invocation", {"Status": "InProgress"})

    def interrupt(_seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("time.sleep", interrupt)
    ran = submit_on_aws(command, project)
    assert ran.status == 130
    (shown,) = (line for line in ran.err.splitlines() if line.startswith("aws "))
    assert command_error(shown) == ""
    assert COMMAND_ID in shown


def test_credentials_of_another_account_submit_nothing(
    command: Command, project: Path, answers: dict[str, Stubber]
) -> None:
    answers["sts"].add_response("get_caller_identity", {"Account": "210987654320"})
    assert [each["id"] for each in submit_on_aws(command, project, *FORMAT).document["findings"]] == ["E9501"]


def test_a_dry_run_makes_no_call(command: Command, project: Path, answers: dict[str, Stubber]) -> None:
    assert answers, "none has a response"
    ran = submit_on_aws(command, project, "--dry-run")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("LOGIN=$(aws ec2 describe-instances ")
