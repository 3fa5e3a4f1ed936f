"""Checks of `deploy` and `destroy` before they touch AWS.

AWS is played by a local AWS that the command does not know to be one: it is reached through the user's own variables.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hint_commands import command_error, commands_in

from local_aws.server import LocalAws
from neuron_cluster.aws.session import AwsTarget, LocalTarget, client, close_clients
from neuron_cluster.deploy.synthesis import synthesize

pytestmark = pytest.mark.slow
OWN, OTHER, REGION = "210987654321", "109876543210", "us-west-2"
SMALL = f"""
schema: 1
name: small
account: {OWN}
region: {REGION}
lifecycle: ephemeral
neuron: {{sdk: 2.32.0}}
network:
  cidr: 10.50.0.0/16
  availability_zones: [usw2-az1]
"""

ONE_VPC = json.dumps({"Resources": {"Vpc": {"Type": "AWS::EC2::VPC", "Properties": {"CidrBlock": "10.60.0.0/16"}}}})

Command = Callable[..., Any]


@pytest.fixture(scope="module")
def project(project: Path) -> Path:
    (project / "environments" / "small.yaml").write_text(SMALL)
    return project


@pytest.fixture
def command(command: Command, log_in: Callable[[str], None], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Runs the command with the credentials of an account, and without a terminal."""
    monkeypatch.setattr("neuron_cluster.deploy.cdk_cli.AWS_POLL_SECONDS", 0.5)
    monkeypatch.setattr("sys.stdin", io.StringIO())

    def run(*arguments: str, account: str = OWN) -> Any:
        log_in(account)
        return command(*arguments)

    return run


def errors(ran: Any) -> list[dict[str, Any]]:
    return [dict(finding) for finding in ran.document["findings"] if finding["severity"] == "error"]


@pytest.mark.hints("E9502")
def test_placeholders_are_refused_before_aws_is_asked(command: Command) -> None:
    ran = command("deploy", "train-trn1", "--yes", account=OTHER)
    assert ran.status == 1
    found = errors(ran)
    assert [(finding["id"], finding["path"]) for finding in found] == [
        ("E9502", "account"),
        ("E9502", "eks.access.admins[0]"),
    ]
    assert all(finding["line"] for finding in found)


@pytest.mark.hints("E9502")
def test_the_account_of_the_credentials_takes_the_place_of_a_placeholder(
    command: Command, project: Path, log_in: Callable[[str], None]
) -> None:
    file = project / "environments" / "own.yaml"
    text = (project / "environments" / "workstation.yaml").read_text().replace("name: workstation", "name: own")
    file.write_text(text)
    (found,) = errors(command("deploy", "own", "--yes"))
    (line,) = commands_in(found["hint"])
    assert (found["id"], line) == ("E9502", "aws sts get-caller-identity --query Account")
    log_in(OWN)
    account = client(AwsTarget(REGION), "sts").get_caller_identity()["Account"]
    file.write_text(re.sub("(?m)^account: .*$", f'account: "{account}"', text))
    (following,) = errors(command("deploy", "own", "--yes"))
    assert following["id"] == "E9503", "the account is looked at next"
    file.unlink()


@pytest.mark.hints("E9501")
def test_credentials_of_another_account_are_refused(command: Command, project: Path) -> None:
    for verb in ("deploy", "destroy"):
        ran = command(verb, "small", "--yes", account=OTHER)
        assert ran.status == 1
        assert "E9501" in ran.ids
        finding = ran.document["findings"][ran.ids.index("E9501")]
        assert OWN in finding["message"]
        assert OTHER in finding["message"]
        assert finding["line"] == 4
        assert "or correct `account`" in finding["hint"]
    assert "E9501" not in command("deploy", "small", "--yes", account=OWN).ids, "with the credentials of the hint"
    file = project / "environments" / "small.yaml"
    file.write_text(SMALL.replace(OWN, OTHER))
    assert "E9501" not in command("deploy", "small", "--yes", account=OTHER).ids
    file.write_text(SMALL)


@pytest.mark.hints("E9503")
def test_an_account_without_bootstrap_gets_the_command(command: Command, project: Path, aws: LocalAws) -> None:
    """`tests/integ/test_cdk_command.py` runs it, and compares its resources with those of ``bootstrap`` here."""
    ran = command("deploy", "small", "--yes")
    assert ran.status == 1
    assert "E9503" in ran.ids
    (line,) = commands_in(ran.document["findings"][ran.ids.index("E9503")]["hint"])
    assert (line, command_error(line)) == (f'cdk bootstrap --app "" aws://{OWN}/{REGION}', "")
    bootstrap(project, aws)
    assert "E9503" not in command("deploy", "small").ids


@pytest.mark.hints("E9528")
def test_missing_credentials_are_a_sentence(command: Command, monkeypatch: pytest.MonkeyPatch, aws: LocalAws) -> None:
    ours = aws.environment(OWN, REGION)
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        del ours[name]
        monkeypatch.delenv(name, raising=False)
    with monkeypatch.context() as without:
        without.setattr(type(aws), "environment", lambda *_: ours)
        ran = command("deploy", "small", "--yes")
    assert ran.status == 1
    assert "no usable AWS credentials" in ran.document["findings"][0]["message"]
    hint = ran.document["findings"][0]["hint"]
    assert hint.startswith("sign in (`aws sso login`, `aws configure`, or keys), or use --local")
    assert "E9528" not in command("deploy", "small").ids, "with the keys"


@pytest.mark.hints("E9527")
def test_what_aws_refuses_is_taken_once_it_is_as_the_hint_says(
    command: Command, project: Path, aws: LocalAws, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A permission that is given, a minute later, the right keys."""
    bootstrap(project, aws)
    monkeypatch.setattr("botocore.endpoint.time.sleep", lambda _: None)  # seconds, between six attempts
    asked = ("cloudformation", "DescribeStacks")
    with aws.faults.access_denied(*asked):
        denied = command("deploy", "small")
    with aws.faults.throttling(*asked, times=6):
        throttled = command("deploy", "small")
    wrong = aws.environment(OWN, REGION) | {"AWS_SECRET_ACCESS_KEY": "wrong"}
    with monkeypatch.context() as others:
        others.setattr(type(aws), "environment", lambda *_: wrong)
        refused = command("deploy", "small")
    hints = {"request this permission": denied, "try again in a minute": throttled, "check AWS_PROFILE": refused}
    for hint, ran in hints.items():
        (found,) = errors(ran)
        assert (found["id"], found["hint"].startswith(hint)) == ("E9527", True), found
    assert "E9527" not in command("deploy", "small").ids


def bootstrap(project: Path, aws: LocalAws) -> None:
    from neuron_cluster.deploy.destination import local_destination
    from neuron_cluster.deploy.local_preparation import bootstrap_if_needed

    bootstrap_if_needed(project, local_destination(aws.endpoint, OWN, REGION), lambda _: None)


@pytest.mark.hints("E9525")
def test_it_deploys_and_destroys_only_when_confirmed(command: Command, project: Path, aws: LocalAws) -> None:
    bootstrap(project, aws)
    target = LocalTarget(REGION, OWN, aws.endpoint)
    asked = command("deploy", "small")
    assert asked.status == 1
    assert asked.ids == ["E9525"]
    assert asked.document["findings"][0]["hint"] == "add --yes to continue without the prompt"
    assert "No instances are billed." in asked.err

    built = command("deploy", "small", "--yes")
    assert built.status == 0
    assert built.document["stacks"] == [{"name": "small-network", "status": "CREATE_COMPLETE", "changed": True}]
    assert built.document["existing"]["charts"] is None

    assert command("destroy", "small").status == 1
    assert client(target, "cloudformation").describe_stacks(StackName="small-network")["Stacks"]
    gone = command("destroy", "small", "--yes")
    assert (gone.status, gone.document["deleted"]) == (0, ["small-network"])
    close_clients(target)


class Intruder(io.StringIO):
    """A terminal whose owner confirms, after somebody has used the time of the question."""

    def __init__(self, intrude: Callable[[], None]) -> None:
        super().__init__()
        self.intrude = intrude

    def isatty(self) -> bool:
        return True

    def readline(self, *_: object) -> str:
        self.intrude()
        return "yes\n"


def test_what_was_confirmed_is_what_is_deployed(
    command: Command, project: Path, aws: LocalAws, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither an edit of the file nor a synthesis of another one under the same name counts after the comparison."""
    bootstrap(project, aws)
    target = LocalTarget(REGION, OWN, aws.endpoint)
    file = project / "environments" / "small.yaml"
    written: list[str] = []

    def intrude() -> None:
        file.write_text(SMALL.replace("10.50.0.0/16", "10.51.0.0/16"))
        synthesize(project, "small", project / "cdk.out" / "small")
        written.append((project / "cdk.out" / "small" / "small-network.template.json").read_text())

    monkeypatch.setattr("sys.stdin", Intruder(intrude))
    ran = command("deploy", "small")
    file.write_text(SMALL)
    assert ran.status == 0
    assert "10.51.0.0/16" in written[0]
    networks = {vpc["CidrBlock"] for vpc in client(target, "ec2").describe_vpcs()["Vpcs"]}
    assert "10.50.0.0/16" in networks
    assert "10.51.0.0/16" not in networks
    assert command("destroy", "small", "--yes").status == 0
    close_clients(target)


def test_a_deploy_that_began_during_the_question_is_not_run_over(
    command: Command, project: Path, aws: LocalAws, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A deploy of another machine: the CDK command would wait for it, and then deploy changes to an older state."""
    bootstrap(project, aws)
    target = LocalTarget(REGION, OWN, aws.endpoint)
    cloudformation = client(target, "cloudformation")
    with aws.faults.slow("create", "AWS::EC2::VPC") as fault:

        def intrude() -> None:
            cloudformation.create_stack(StackName="small-network", TemplateBody=ONE_VPC)
            assert fault.reached.wait(30)

        monkeypatch.setattr("sys.stdin", Intruder(intrude))
        ran = command("deploy", "small")
    assert (ran.status, [finding["id"] for finding in errors(ran)]) == (1, ["E9531"])
    assert "small-network is CREATE_IN_PROGRESS" in errors(ran)[0]["message"]
    cloudformation.get_waiter("stack_create_complete").wait(StackName="small-network", WaiterConfig={"Delay": 0.1})
    assert command("destroy", "small", "--yes").status == 0
    close_clients(target)


def stack_status(target: LocalTarget) -> str:
    (stack,) = client(target, "cloudformation").describe_stacks(StackName="small-network")["Stacks"]
    return str(stack["StackStatus"])


def test_a_deploy_continues_with_a_change_set_that_was_only_made(
    command: Command, project: Path, aws: LocalAws
) -> None:
    """As a command leaves it that is killed before it executes the change set."""
    bootstrap(project, aws)
    target = LocalTarget(REGION, OWN, aws.endpoint)
    client(target, "cloudformation").create_change_set(
        StackName="small-network", ChangeSetName="cdk-deploy-change-set", ChangeSetType="CREATE", TemplateBody=ONE_VPC
    )
    assert stack_status(target) == "REVIEW_IN_PROGRESS"
    ran = command("deploy", "small", "--yes")
    assert (ran.status, errors(ran), stack_status(target)) == (0, [], "CREATE_COMPLETE")
    assert command("destroy", "small", "--yes").status == 0
    close_clients(target)


@pytest.mark.exhaustive  # botocore tries again and again before it gives a connection up
def test_a_deploy_continues_after_a_lost_connection(command: Command, project: Path, aws: LocalAws) -> None:
    bootstrap(project, aws)
    target = LocalTarget(REGION, OWN, aws.endpoint)
    with (
        aws.faults.slow("create", "AWS::EC2::VPC") as slow,
        contextlib.ExitStack() as lost,
        ThreadPoolExecutor(1) as pool,
    ):

        def lose() -> None:
            assert slow.reached.wait(60)
            lost.enter_context(aws.faults.dropped_connection("cloudformation", "DescribeStackEvents", times=1000))

        losing = pool.submit(lose)
        ran = command("deploy", "small", "--yes")
        losing.result()
        meanwhile = stack_status(target)
    (finding,) = errors(ran)
    assert (ran.status, finding["id"]) == (1, "E9528")
    assert finding["hint"].endswith("then run the same command again, which continues from there")
    assert meanwhile == "CREATE_IN_PROGRESS"
    following = command("deploy", "small", "--yes")
    assert (following.status, errors(following), stack_status(target)) == (0, [], "CREATE_COMPLETE")
    assert command("destroy", "small", "--yes").status == 0
    close_clients(target)
