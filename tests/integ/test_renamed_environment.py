"""A rename, a move to another account or Region, and a copied file: no second environment is built in silence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from local_aws.server import LocalAws
from neuron_cluster.aws.session import LocalTarget, close_clients
from neuron_cluster.cli.main import main
from neuron_cluster.deploy.deployed_environments import deployed_environments

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("local_aws")]

ACCOUNT, OTHER_ACCOUNT = "111122223333", "222233334444"
TEXT = f"""
schema: 1
name: small
account: {ACCOUNT}
region: us-west-2
neuron: {{sdk: 2.32.0}}
network: {{cidr: 10.40.0.0/16, availability_zones: [usw2-az4, usw2-az1], nat: none, endpoints: [s3]}}
storage: {{checkpoint_bucket: {{}}}}
"""

Command = Callable[..., Any]
Names = Callable[..., list[str]]


@pytest.fixture
def environments(project: Path) -> Path:
    """The folder with this file alone."""
    folder = project / "environments"
    for file in folder.glob("*.yaml"):
        file.unlink()
    (folder / "small.yaml").write_text(TEXT)
    return folder


@pytest.fixture(scope="module")
def records() -> list[str]:
    """The project's record of what is deployed, as the last deploy of the fixture below wrote it."""
    return []


@pytest.fixture(scope="module")
def names(aws: LocalAws) -> Iterator[Names]:
    """``names(account, region)``: the environments that are deployed there."""
    targets: set[LocalTarget] = set()

    def of(account: str = ACCOUNT, region: str = "us-west-2") -> list[str]:
        target = LocalTarget(region, account, aws.endpoint)
        targets.add(target)
        return [*deployed_environments(target)]

    yield of
    for target in targets:
        close_clients(target)


@pytest.fixture
def deployed(environments: Path, command: Command, names: Names, records: list[str]) -> Path:
    """The file, whose environment is deployed: once for all tests, and again after one that destroyed it.

    Nothing but it is deployed before a test.
    """
    file = environments / "small.yaml"
    record = environments.parent / ".local" / "deployed.json"
    if names() == []:
        assert command("deploy", "--local", "small").status == 0
        records[:] = [record.read_text()]
    record.write_text(records[0])
    assert names() == ["small"]
    assert names(OTHER_ACCOUNT) == names(region="us-east-2") == []
    return file


def refusal(ran: Any) -> dict[str, Any]:
    (found,) = [finding for finding in ran.document["findings"] if finding["severity"] == "error"]
    return dict(found)


@pytest.mark.hints("E9014")
@pytest.mark.parametrize(
    ("key", "edit"),
    [
        ("name", ("name: small", "name: renamed")),
        pytest.param("account", (ACCOUNT, OTHER_ACCOUNT), marks=pytest.mark.exhaustive),  # as another Region
        ("region", ("us-west-2", "us-east-2")),
    ],
)
def test_an_edit_of_name_account_or_region_is_refused_and_named(
    key: str, edit: tuple[str, str], deployed: Path, command: Command, names: Names
) -> None:
    text = TEXT.replace(*edit).replace("usw2-az4, usw2-az1", "use2-az1, use2-az2") if key == "region" else None
    deployed.write_text(text or TEXT.replace(*edit))
    for verb in ("diff", "deploy"):
        ran = command(verb, "--local", "small")
        found = refusal(ran)
        assert (ran.status, found["id"], found["path"]) == (1, "E9014", key)
        assert found["line"] > 0
        for said in ("2 stacks with", "bucket small-storage-", "deployed and billed", ACCOUNT, "us-west-2"):
            assert said in found["message"]
        assert f"write {edit[0] if key == 'name' else key}" in found["hint"]
    (line,) = re.findall(r"undo the edit: write (\w+: .+)", found["hint"])
    back = re.sub(rf"(?m)^{key}: .*$", line, deployed.read_text())
    deployed.write_text(back.replace("use2-az1, use2-az2", "usw2-az4, usw2-az1") if key == "region" else back)
    assert "E9014" not in command("diff", "--local", "small").ids
    assert names(OTHER_ACCOUNT) == names(region="us-east-2") == []
    assert names() == ["small"]


@pytest.mark.parametrize("columns", ["80", "200"])
def test_the_list_shows_files_and_what_is_deployed(
    columns: str, deployed: Path, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert main(["list", "--local", "--project", str(project)]) == 0
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= int(columns) or "bucket small-storage" in shown
    text = "".join(shown.split())
    row = f"small{ACCOUNT}us-west-2" if columns == "200" else f"environmentsmallaccount{ACCOUNT}Regionus-west-2"
    for part in (row, "bucketsmall-storage-", "complete"):
        assert part in text
    assert deployed.name in text


@pytest.mark.hints("E9013")
def test_two_files_of_one_environment_are_refused(deployed: Path, command: Command) -> None:
    copy = deployed.with_name("copy.yaml")
    copy.write_text(TEXT)
    found = refusal(command("deploy", "--local", "copy"))
    assert (found["id"], found["hint"]) == (
        "E9013",
        f"write name: copy in {copy}, or remove one of the two files",
    )
    of_small = refusal(command("diff", "--local", "small"))
    assert (of_small["id"], of_small["hint"]) == (found["id"], found["hint"]), "the same edit, whichever file is given"
    copy.write_text(TEXT.replace("name: small", "name: copy"))
    for file in ("copy", "small"):
        assert command("diff", "--local", file).status == 0
    copy.write_text(TEXT)
    copy.unlink()
    assert command("diff", "--local", "small").status == 0


def test_a_file_renamed_with_its_environment_is_refused_by_the_record(deployed: Path, command: Command) -> None:
    moved = deployed.with_name("moved.yaml")
    moved.write_text(TEXT.replace("name: small", "name: moved"))
    deployed.unlink()
    found = refusal(command("diff", "--local", "moved"))
    assert (found["id"], found["path"]) == ("E9014", "name")
    assert "small" in found["message"]
    (line,) = re.findall(r"undo the edit: write (name: \S+)", found["hint"])
    moved.write_text(TEXT.replace("name: small", line))
    assert command("diff", "--local", "moved").status == 0


@pytest.mark.hints("E9014")
def test_a_file_of_another_name_gets_the_name_of_its_environment(deployed: Path, command: Command) -> None:
    """Nothing of it is deployed: nobody can tell whether it is new or was renamed."""
    other = deployed.with_name("other.yaml")
    other.write_text(TEXT.replace("name: small", "name: third"))
    found = refusal(command("diff", "--local", "other"))
    ways = re.match(r"write (name: \S+), or rename the file to (\S+)\n", found["hint"])
    assert (found["id"], bool(ways)) == ("E9014", True)
    assert ways
    other.write_text(TEXT.replace("name: small", ways[1]))
    assert command("diff", "--local", "other").status == 0
    other.write_text(TEXT.replace("name: small", "name: third"))
    other.rename(other.with_name(ways[2]))
    assert command("diff", "--local", "third").status == 0


@pytest.mark.exhaustive
@pytest.mark.hints("E9014", "E9016")
def test_a_second_environment_is_built_when_it_is_called_new(deployed: Path, command: Command, names: Names) -> None:
    deployed.write_text(TEXT.replace("name: small", "name: second"))
    wrong = command("deploy", "--local", "small", "--new-environment", "third")
    assert wrong.status == 1
    assert '"second"' in wrong.document["findings"][0]["message"]
    hint = refusal(command("deploy", "--local", "small"))["hint"]
    ((said,)) = [line for line in hint.splitlines() if "--new-environment" in line]
    arguments = said.partition("neuron-cluster ")[2].split()
    assert command(*arguments).status == 0
    assert names() == ["second", "small"]
    assert command("deploy", "--local", "small").status == 0, "an environment that exists is changed without a word"
    refused = command("destroy", "--local", "small", "--delete-data", "second")
    found = refusal(refused)
    assert (refused.status, found["id"], names()) == (1, "E9016", ["second", "small"])
    assert found["message"].count("bucket ") == 2
    of_small, of_second = found["hint"].splitlines()
    assert command(*of_second.split()[1:], "--delete-data", "second").status == 0
    assert names() == ["small"]
    (still_there,) = refusal(command("destroy", "--local", "small"))["hint"].splitlines()
    assert still_there == of_small


@pytest.mark.hints("W9015", "E9016")
def test_orphans_are_reported_before_a_new_environment_and_listed_with_their_command(
    deployed: Path, command: Command, names: Names, records: list[str]
) -> None:
    record = deployed.parents[1] / ".local" / "deployed.json"
    record.unlink()
    third = deployed.rename(deployed.with_name("third.yaml"))
    text = TEXT.replace("name: small", "name: third")
    third.write_text(text)
    ran = command("diff", "--local", "third")
    (orphan,) = [each for each in ran.document["findings"] if each["id"].startswith("W90")]
    assert (ran.status, orphan["id"]) == (0, "W9015")
    ways = re.fullmatch(r"if third was called small before, write (name: small)\nto see all: (.*)", orphan["hint"])
    assert ways
    third.write_text(text.replace("name: third", ways[1]))
    assert "W9015" not in command("diff", "--local", "third").ids
    third.write_text(text)
    record.write_text(records[0])
    unknown = refusal(command("destroy", "--local", "small"))
    assert unknown["hint"].endswith("neuron-cluster list --local")
    (listed,) = command(*ways[2].split()[1:]).document["deployed"]
    assert (listed["is_orphan"], listed["files"], len(listed["stacks"])) == (True, [], 2)
    assert command(*listed["remove"].split()[1:], "--delete-data", "small").status == 0
    assert names() == []
    assert "small" not in record.read_text()
    assert "W9015" not in command("diff", "--local", "third").ids
    assert command(*listed["remove"].split()[1:]).status == 1, "it is gone"
    third.unlink()
    deployed.write_text(TEXT.replace("name: small", "name: second"))
    neither = refusal(command("destroy", "--local", "small"))["hint"]
    ways = re.fullmatch(r"write name: (\S+), or rename the file to (\S+)", neither)
    assert ways
    renamed = deployed.rename(deployed.with_name(ways[2]))
    assert command("destroy", "--local", renamed.stem).status == 0
    renamed.rename(deployed)
    deployed.write_text(TEXT.replace("name: small", f"name: {ways[1]}"))
    assert command("destroy", "--local", "small").status == 0


@pytest.mark.exhaustive
@pytest.mark.hints("E9010")
def test_both_hints_of_two_places_are_carried_out(deployed: Path, command: Command, names: Names) -> None:
    """E9010 compares two files without AWS; its command is one for AWS, so the test adds --local."""
    earlier = deployed.with_suffix(".txt")
    earlier.write_text(TEXT)
    deployed.write_text(TEXT.replace(ACCOUNT, OTHER_ACCOUNT))
    found = refusal(command("diff", "small", "--against", str(earlier)))
    assert (found["id"], found["path"]) == ("E9010", "account")
    (written,) = re.findall(r"`neuron-cluster deploy ([^`]+)`", found["hint"])
    assert command("deploy", "--local", *written.split()).status == 0
    assert names() == names(OTHER_ACCOUNT) == ["small"]
    assert command("diff", "--local", "small").status == 0
    assert command("destroy", "--local", "small", "--delete-data", "small").status == 0
    earlier.unlink()

    assert "undo the edit, copy the file under another name, write that name and the other place" in found["hint"]
    deployed.write_text(TEXT)
    moved = TEXT.replace("name: small", "name: moved").replace(ACCOUNT, OTHER_ACCOUNT)
    deployed.with_name("moved.yaml").write_text(moved)
    assert command("deploy", "--local", "moved").status == 0
    (removal,) = re.findall(r"`neuron-cluster destroy ([^`]+)`", found["hint"])
    assert command("destroy", "--local", *removal.split()).status == 0
    assert (names(), names(OTHER_ACCOUNT)) == ([], ["moved"])
    assert command("diff", "--local", "moved").status == 0
