"""A shell that still has the variables of `neuron-cluster local`: commands for AWS do not take it for AWS."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from local_aws.server import LocalAws
from neuron_cluster.aws.session import AwsTarget, close_clients

pytestmark = pytest.mark.slow
ACCOUNT, REGION = "210987654321", "us-west-2"

Command = Callable[..., Any]


@pytest.fixture(autouse=True)
def variables(project: Path, local_aws: LocalAws, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As `neuron-cluster local` prints them."""
    text = (project / "environments" / "workstation.yaml").read_text()
    ours = text.replace("111122223333", ACCOUNT).replace("name: workstation", "name: ours", 1)
    (project / "environments" / "ours.yaml").write_text(ours)
    close_clients(AwsTarget(REGION))
    for name, value in local_aws.environment(ACCOUNT, REGION).items():
        monkeypatch.setenv(name, value)
    yield
    close_clients(AwsTarget(REGION))


@pytest.mark.parametrize(
    "arguments",
    [
        ("lock", "ours"),
        ("lock", "ours", "--check"),
        ("deploy", "ours", "--yes"),
        ("destroy", "ours", "--yes"),
        ("diff", "ours"),
        ("capacity", "search", "--type", "trn2.48xlarge", "--count", "1", "--duration", "1d"),
    ],
)
def test_a_command_for_aws_refuses_the_local_aws(arguments: tuple[str, ...], command: Command, project: Path) -> None:
    ran = command(*arguments)
    assert (ran.status, ran.ids) == (1, ["E9521"])
    [finding] = ran.document["findings"]
    assert finding["file"] == "AWS_ENDPOINT_URL"
    assert not (project / "environments" / "locks" / "ours.yaml").exists()


@pytest.mark.hints("E9521", "E9528")
def test_both_ways_of_the_hint_lead_out(command: Command, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hint = command("lock", "ours").document["findings"][0]["hint"]
    assert "`--local`" in hint
    assert "`unset AWS_ENDPOINT_URL`" in hint
    assert command("lock", "ours", "--local").status == 0
    assert (project / ".local" / "locks" / "ours.yaml").is_file()
    monkeypatch.delenv("AWS_ENDPOINT_URL")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    close_clients(AwsTarget(REGION))
    ran = command("lock", "ours")
    assert (ran.status, ran.ids) == (1, ["E9528"])
    assert "no usable AWS credentials" in ran.document["findings"][0]["message"]


def test_an_endpoint_of_one_service_and_of_a_configuration_file_are_found_too(
    command: Command, local_aws: LocalAws, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("AWS_ENDPOINT_URL")
    monkeypatch.setenv("AWS_ENDPOINT_URL_SSM", local_aws.endpoint)
    ran = command("lock", "ours")
    assert (ran.ids, ran.document["findings"][0]["file"]) == (["E9521"], "AWS_ENDPOINT_URL_SSM")
    monkeypatch.delenv("AWS_ENDPOINT_URL_SSM")
    (tmp_path / "config").write_text(
        f"[default]\nservices = mine\n[services mine]\nssm =\n  endpoint_url = {local_aws.endpoint}\n"
    )
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "config"))
    assert command("lock", "ours").document["findings"][0]["file"] == "endpoint_url of ssm in the AWS configuration"
