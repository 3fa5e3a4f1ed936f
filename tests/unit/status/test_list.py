"""`list --status` has one verdict for each environment."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.cli.main import main
from tests.json_outputs import assert_has_format

from .conftest import Deployed

pytestmark = pytest.mark.slow
Listed = Callable[..., dict[str, Any]]
NAMES = ("workstation", "serve-inf1", "dev-inf2", "serve-trn2")


@pytest.fixture(scope="module")
def project(project: Path) -> Path:
    """With few files: `list` queries every account and Region of all."""
    for file in (project / "environments").glob("*.yaml"):
        if file.stem not in NAMES:
            file.unlink()
    return project


@pytest.fixture
def listed(capsys: pytest.CaptureFixture[str], project: Path) -> Listed:
    """``listed("--status")``: what is deployed, by the name of the environment."""

    def run(*arguments: str) -> dict[str, Any]:
        given = ["list", "--local", *arguments, "--format", "json", "--project", str(project)]
        capsys.readouterr()
        assert main(given) == 0
        printed = capsys.readouterr().out
        assert_has_format(given, printed)
        return {each["environment"]: each for each in json.loads(printed)["deployed"]}

    return run


def test_each_environment_has_the_worst_verdict_of_its_status(deployed: Deployed, listed: Listed) -> None:
    deployed("workstation")
    deployed("serve-inf1", ("network",))
    assert {name: each["health"] for name, each in listed("--status").items()} == {
        "workstation": "healthy",
        "serve-inf1": "error",
    }


@pytest.mark.exhaustive
def test_a_verdict_needs_the_option_and_each_permission(deployed: Deployed, listed: Listed) -> None:
    environment = deployed("workstation")
    with environment.aws.faults.access_denied("ec2", "DescribeNatGateways"):
        assert listed("--status")["workstation"]["health"] == "not_read"
    assert "health" not in listed()["workstation"]


@pytest.mark.exhaustive
def test_a_file_with_errors_is_not_read(deployed: Deployed, listed: Listed, project: Path) -> None:
    deployed("dev-inf2", ("network",))
    file = project / "environments" / "dev-inf2.yaml"
    text = file.read_text()
    file.write_text(text.replace("instance_type: inf2.xlarge", "instance_type: inf2.xlarg"))
    found = listed("--status")["dev-inf2"]["health"]
    file.write_text(text)
    assert found == "not_read"


@pytest.mark.exhaustive
def test_the_text_counts_what_is_not_healthy(
    deployed: Deployed, capsys: pytest.CaptureFixture[str], project: Path
) -> None:
    deployed("serve-trn2", ("network",))
    assert main(["list", "--local", "--status", "--project", str(project)]) == 0
    table = " ".join(capsys.readouterr().out.partition("Deployed: serve-trn2")[2].split())
    assert "ERROR: `status` shows them" in table
