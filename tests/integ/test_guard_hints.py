"""Every hint of the guards over an edit is carried out: afterwards the finding is gone."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hint_commands import commands_in

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("local_aws")]

NETWORK = "network: {cidr: 10.40.0.0/16, availability_zones: [usw2-az4, usw2-az1], nat: single}"
BASE = f"""
schema: 1
name: guarded
account: 111122223333
region: us-west-2
lifecycle: ephemeral
neuron: {{sdk: 2.32.0}}
{NETWORK}
"""
STORAGE = """
storage:
  checkpoint_bucket: {}
  lustre: {availability_zone: usw2-az4, capacity_gib: 2400, sync: {}}
"""
WITH_DATA = BASE + STORAGE
SWAPPED = ("[usw2-az4, usw2-az1]", "[usw2-az1, usw2-az4]")
MOVED = ("10.40.0.0/16", "10.41.0.0/16")
DROPPED = ("[usw2-az4, usw2-az1]", "[usw2-az4, usw2-az2]")

Command = Callable[..., Any]


class Guarded:
    """The environment on the local AWS."""

    def __init__(self, project: Path, command: Command, deployed: list[str]) -> None:
        self.file = project / "environments" / "guarded.yaml"
        self.command = command
        self.deployed = deployed

    def write(self, text: str) -> None:
        self.file.write_text(text)

    def deploy(self) -> None:
        """Deploys the file, unless it is deployed already."""
        text = self.file.read_text()
        if self.deployed == [text]:
            return
        self.deployed.clear()
        ran = self.command("deploy", "--local", "guarded")
        assert ran.status == 0, ran.document
        self.deployed.append(text)

    def refused(self) -> list[dict[str, Any]]:
        """The errors of `diff`, which are those of `deploy`."""
        ran = self.command("diff", "--local", "guarded")
        found = [dict(f) for f in ran.document["findings"] if f["severity"] == "error"]
        assert ran.status == int(bool(found))
        return found

    def findings(self, finding_id: str) -> list[dict[str, Any]]:
        """Returns the findings of `diff` with one id."""
        found = self.command("diff", "--local", "guarded").document["findings"]
        return [dict(each) for each in found if each["id"] == finding_id]

    def run_commands_of(self, hint: str) -> None:
        """Each command of a hint, in its order."""
        self.deployed.clear()
        for written in commands_in(hint):
            assert self.command(*written.split()[1:]).status == 0, written

    def write_what(self, hint: str) -> str:
        """The file with the line that the hint says to write."""
        found = re.match(r"write (cidr|availability_zones): (.*)", hint)
        assert found, hint
        key, value = found.groups()
        pattern = rf"{key}: (\[[^\]]*\]|[^,}}]+)"
        text = re.sub(pattern, f"{key}: {value}", self.file.read_text())
        self.write(text)
        return text


@pytest.fixture(scope="module")
def guarded_project(project: Path) -> Path:
    for file in (project / "environments").glob("*.yaml"):
        file.unlink()
    return project


@pytest.fixture(scope="module")
def deployed() -> list[str]:
    """The file as it was deployed last; nothing where a command of a hint has run since."""
    return []


@pytest.fixture
def guarded(guarded_project: Path, command: Command, deployed: list[str]) -> Guarded:
    """Returns the project: each test starts with the deployed environment of the one before."""
    return Guarded(guarded_project, command, deployed)


@pytest.mark.hints("E9001", "E9022")
@pytest.mark.parametrize(
    ("edit", "path"), [(SWAPPED, "availability_zones"), (MOVED, "cidr"), (DROPPED, "availability_zones")]
)
def test_an_edit_of_the_network_under_data_is_one_error_and_its_edit_goes_back(
    edit: tuple[str, str], path: str, guarded: Guarded
) -> None:
    """The environment is deployed once, and stays as it is: everything here is refused."""
    guarded.write(WITH_DATA)
    guarded.deploy()
    guarded.write(WITH_DATA.replace(*edit))
    errors = guarded.refused()
    assert [error["path"] for error in errors] == [f"network.{path}"], errors
    (error,) = errors
    assert error["line"] > 0
    assert error["id"] == ("E9022" if edit is DROPPED else "E9001")
    assert "From the same edit follow: " in error["message"]
    assert "neuron-cluster destroy --local guarded`" not in error["hint"], "it would keep the subnets"
    guarded.write_what(error["hint"])
    assert guarded.refused() == []


@pytest.mark.hints("E9001", "E9002", "W9017")
def test_data_that_would_be_replaced_taken_out_or_shrunk(guarded: Guarded) -> None:
    guarded.write(WITH_DATA)
    guarded.deploy()
    guarded.write(WITH_DATA.replace("capacity_gib: 2400", "capacity_gib: 1200"))
    (shrunk,) = guarded.refused()
    assert (shrunk["id"], shrunk["path"]) == ("E9011", "storage.lustre")
    assert "keep 2400 GiB" in shrunk["hint"]
    guarded.write(WITH_DATA.replace(", sync: {}", ""))
    (unmirrored,) = guarded.findings("W9017")
    assert unmirrored["hint"].startswith("put `sync` back into storage.lustre")
    guarded.write(WITH_DATA)
    assert guarded.findings("W9017") == []
    moved = WITH_DATA.replace("az4, capacity", "az1, capacity")
    guarded.write(moved)
    (replaced,) = guarded.refused()
    assert (replaced["id"], replaced["path"]) == ("E9001", "storage.lustre")
    guarded.write(BASE)
    taken_out = guarded.refused()
    assert {error["id"] for error in taken_out} == {"E9002"}
    assert commands_in(replaced["hint"]) == commands_in(taken_out[0]["hint"]), "so they run once for both"
    guarded.run_commands_of(replaced["hint"])
    for text in (moved, BASE):
        guarded.write(text)
        assert guarded.refused() == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("edit", [MOVED, SWAPPED])
def test_an_edit_of_a_network_without_data_has_a_way(edit: tuple[str, str], guarded: Guarded) -> None:
    guarded.write(BASE)
    guarded.deploy()
    guarded.write(BASE.replace(*edit))
    (error,) = guarded.refused()
    guarded.write_what(error["hint"])
    assert guarded.refused() == []
    guarded.write(BASE.replace(*edit))
    guarded.run_commands_of(error["hint"])
    assert guarded.refused() == []
    guarded.deploy()
    assert guarded.command("destroy", "--local", "guarded").status == 0
    guarded.deployed.clear()
