"""What `deploy` and `destroy` check before they touch AWS.

AWS is played by a local AWS that the command does not know to be one: it is reached through the user's own variables.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.aws.session import LocalTarget, client, close_clients
from neuron_cluster.deploy.synthesis import synthesize
from neuron_cluster.local_aws.server import LocalAws

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

Command = Callable[..., Any]


@pytest.fixture(scope="module")
def project(project: Path) -> Path:
    (project / "environments" / "small.yaml").write_text(SMALL)
    return project


@pytest.fixture
def command(command: Command, log_in: Callable[[str], None], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Runs the command with the credentials of an account, and without a terminal."""
    monkeypatch.setattr("neuron_cluster.deploy.cdk_cli.AWS_POLL_SECONDS", 0.2)
    monkeypatch.setattr("sys.stdin", io.StringIO())

    def run(*arguments: str, account: str = OWN) -> Any:
        log_in(account)
        return command(*arguments)

    return run


def test_placeholders_are_refused_before_aws_is_asked(command: Command) -> None:
    ran = command("deploy", "train-trn1", "--yes", account=OTHER)
    assert ran.status == 1
    errors = [finding for finding in ran.document["findings"] if finding["severity"] == "error"]
    assert [(finding["id"], finding["path"]) for finding in errors] == [
        ("E9502", "account"),
        ("E9502", "eks.access.admins[0]"),
    ]
    assert all(finding["line"] for finding in errors)


def test_credentials_of_another_account_are_refused(command: Command) -> None:
    for verb in ("deploy", "destroy"):
        ran = command(verb, "small", "--yes", account=OTHER)
        assert ran.status == 1
        assert "E9501" in ran.ids
        finding = ran.document["findings"][ran.ids.index("E9501")]
        assert OWN in finding["message"]
        assert OTHER in finding["message"]
        assert finding["line"] == 4


def test_an_account_without_bootstrap_gets_the_command(command: Command) -> None:
    ran = command("deploy", "small", "--yes")
    assert ran.status == 1
    assert "E9503" in ran.ids
    assert f"cdk bootstrap aws://{OWN}/{REGION}" in ran.document["findings"][ran.ids.index("E9503")]["hint"]


def test_missing_credentials_are_a_sentence(command: Command, monkeypatch: pytest.MonkeyPatch, aws: LocalAws) -> None:
    ours = aws.environment(OWN, REGION)
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        del ours[name]
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(type(aws), "environment", lambda *_: ours)
    ran = command("deploy", "small", "--yes")
    assert ran.status == 1
    assert "no usable AWS credentials" in ran.document["findings"][0]["message"]
    assert "--local" in ran.document["findings"][0]["hint"]


def bootstrap(project: Path, aws: LocalAws) -> None:
    from neuron_cluster.deploy.destination import local_destination
    from neuron_cluster.deploy.local_preparation import bootstrap_if_needed

    bootstrap_if_needed(project, local_destination(aws.endpoint, OWN, REGION), lambda _: None)


def test_it_deploys_and_destroys_only_when_confirmed(command: Command, project: Path, aws: LocalAws) -> None:
    bootstrap(project, aws)
    target = LocalTarget(REGION, OWN, aws.endpoint)
    asked = command("deploy", "small")
    assert asked.status == 1
    assert "--yes" in asked.document["findings"][0]["hint"]
    assert "There are no machines to pay for." in asked.err

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
