"""`new` on the command line: one file in a project, or nothing."""

from __future__ import annotations

import os
import pty
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import pytest
import yaml

from neuron_cluster.starter.data_file import purposes

from .conftest import PROJECT, Command

GIVEN = ("--purpose", "develop", "--account", "210987654321", "--region", "us-west-2")


@pytest.fixture
def project(tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project without environments, which is the working directory."""
    folder = tmp_path / "clusters"
    (folder / "environments").mkdir(parents=True)
    shutil.copy(PROJECT / "cdk.json", folder)
    monkeypatch.chdir(folder)  # after `command`, whose working directory is that of the checkout
    return folder


@pytest.fixture
def keyboard(monkeypatch: pytest.MonkeyPatch) -> Iterator[TextIO]:
    """Writes to the terminal that is standard input."""
    master, slave = pty.openpty()
    with os.fdopen(slave) as terminal, os.fdopen(master, "w") as typed:
        monkeypatch.setattr("sys.stdin", terminal)
        yield typed


def written(project: Path) -> list[str]:
    return sorted(path.name for path in (project / "environments").iterdir())


def test_the_file_has_its_name_account_and_region_and_is_valid(project: Path, command: Command) -> None:
    ran = command("new", "probe", *GIVEN)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "environments/probe.yaml: from the template dev-inf2",
        "Edit before a deploy to AWS: eks.access.admins[0]: the ARN of an IAM role of the account",
        "Next: neuron-cluster validate probe; neuron-cluster plan probe",
    ]
    assert written(project) == ["probe.yaml"]
    config = yaml.safe_load((project / "environments" / "probe.yaml").read_text())
    assert (config["name"], config["account"], config["region"]) == ("probe", 210987654321, "us-west-2")
    assert command("plan", "probe", "--format", "json").document["plan"]["name"] == "probe"


@pytest.mark.parametrize("purpose", purposes())
def test_each_purpose_has_a_template(purpose: str, project: Path, command: Command) -> None:
    ran = command("new", "probe", *GIVEN, "--purpose", purpose, "--format", "json")
    assert ran.document["file"] == "environments/probe.yaml"
    assert command("validate", "probe").status == 0


def test_the_project_can_be_elsewhere(
    project: Path, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = command("new", "probe", *GIVEN, "--project", "clusters")
    assert "Next: neuron-cluster validate probe --project clusters; " in ran.out
    assert written(project) == ["probe.yaml"]


def test_without_a_project_nothing_is_written(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = command("new", "probe", *GIVEN)
    assert ran.status == 1
    assert "E0016" in ran.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("is_link", [False, True])
def test_a_file_that_exists_stays_as_it_is(project: Path, command: Command, *, is_link: bool) -> None:
    file = project / "environments" / "probe.yaml"
    file.symlink_to("nowhere") if is_link else file.write_text("mine")
    ran = command("new", "probe", *GIVEN)
    assert ran.status == 1
    assert ran.err == (
        "error: environments/probe.yaml exists; nothing is overwritten\n"
        "  hint: choose another name, or delete or rename the file first\n"
    )
    assert written(project) == ["probe.yaml"]
    assert file.is_symlink() if is_link else file.read_text() == "mine"


def test_the_lock_of_an_environment_that_was_deleted_is_not_inherited(project: Path, command: Command) -> None:
    (project / "environments" / "locks").mkdir()
    (project / "environments" / "locks" / "probe.yaml").write_text("")
    ran = command("new", "probe", *GIVEN)
    assert ran.status == 1
    assert "environments/locks/probe.yaml is the lock of an environment probe" in ran.err
    assert written(project) == ["locks"]


def test_a_folder_without_write_permission_is_named(project: Path, command: Command) -> None:
    (project / "environments").rmdir()
    (project / "environments").symlink_to("/proc/self")
    ran = command("new", "probe", *GIVEN)
    assert ran.status == 1
    assert "probe.yaml cannot be written: " in ran.err


@pytest.mark.parametrize(
    ("arguments", "status", "text"),
    [
        ((), 2, "the following arguments are required: NAME"),
        (("Probe", *GIVEN), 2, "lower-case letters"),
        (("probe",), 2, "these are required: --purpose or --template, --account, --region\n"),
        (("probe", *GIVEN, "--purpose", "trian"), 2, "did you mean train? known purposes: develop, serve"),
        (("probe", *GIVEN, "--template", "dev-inf"), 1, "did you mean dev-inf2"),
        (
            ("probe", *GIVEN, "--region", "us-west-1"),
            1,
            "template dev-inf2: not offered in us-west-1 on ",
        ),
        (("probe", *GIVEN, "--devices", "0"), 2, "is not a count"),
        (("probe", *GIVEN, "--max-hourly", "5"), 2, "--max-hourly requires --model or --parameters"),
        (("probe", *GIVEN, "--purchase-option", "spots"), 2, "--purchase-option spots is unknown; did you mean spot?"),
        (("probe", *GIVEN, "--team", "Red"), 2, "'Red' is not the name of a team"),
        (("probe", *GIVEN, "--team", "red", "--team", "red"), 2, "each team is named once"),
        (("probe", *GIVEN, "--team", "red", "--purpose", "workstation"), 1, "workstations alone"),
        (("probe", *GIVEN, "--team", "default"), 1, "E2051 "),
        (("probe", *GIVEN, "--model", "llama", "--parameters", "8B"), 2, "not allowed with argument"),
        (("probe", *GIVEN, "--model", "cdk.json"), 1, "is not the config.json of a model"),
        (("probe", *GIVEN, "--model", "bert.json"), 1, "describe the model with --parameters, such as"),
        (("probe", *GIVEN, "--model", "none.json"), 1, "none.json"),
        (("probe", *GIVEN, "--purpose", "train", "--devices", "20"), 1, "write --devices 16 or 32"),
        (
            ("probe", *GIVEN, "--model", "llama-3.1-70b", "--devices", "1"),
            1,
            "with 1 Neuron device\nthe nearest that fits: 1 x inf2.48xlarge, 12 Neuron devices, 12.98 USD an hour\n",
        ),
        (
            ("probe", *GIVEN, "--model", "llama-3.1-70b", "--max-hourly", "5"),
            1,
            "with 5 USD an hour\nthe nearest that fits: 1 x inf2.48xlarge",
        ),
        (("probe", *GIVEN, "--parameters", "900T"), 1, "the nearest, "),
    ],
)
def test_a_wrong_command_line_writes_nothing(
    arguments: tuple[str, ...], status: int, text: str, project: Path, command: Command
) -> None:
    (project / "bert.json").write_text('{"model_type": "bert"}')
    ran = command("new", *arguments)
    assert ran.status == status
    assert text in ran.err
    assert written(project) == []


def test_a_terminal_is_prompted_for_what_is_missing(project: Path, command: Command, keyboard: TextIO) -> None:
    command("new", "first", *GIVEN)
    keyboard.write("\ndev-trn\ndev-trn2\n\n\n\n\n\n\n")
    keyboard.flush()
    ran = command("new", "probe")
    assert ran.status == 0
    assert "template (dev-inf2, dev-trn2) [dev-inf2]: " in ran.err
    assert "account [210987654321]: region [sa-east-1]: " in ran.err
    assert written(project) == ["first.yaml", "probe.yaml"]
    config = yaml.safe_load((project / "environments" / "probe.yaml").read_text())
    assert config["eks"]["node_groups"][1]["capacity"]["kind"] == "spot"


def test_a_terminal_is_prompted_for_size_purchase_option_and_teams(
    project: Path, command: Command, keyboard: TextIO
) -> None:
    keyboard.write("\nno-such-model\nllama-3.1-8b\n\n15\nspots\non_demand\nA b\nred blue\n")
    keyboard.flush()
    ran = command("new", "probe", "--purpose", "serve", "--account", "210987654321")
    assert ran.status == 0
    assert "no-such-model" in ran.err
    assert "'spots' is not a purchase option; did you mean spot?\n" in ran.err
    assert "'A' is not the name of a team" in ran.err
    rejected = "Cheaper, but not taken: 1 x inf2.8xlarge: 2 teams cannot share 1 Neuron device"
    assert rejected in " ".join(ran.out.split())
    config = yaml.safe_load((project / "environments" / "probe.yaml").read_text())
    assert config["eks"]["node_groups"][1]["instance_type"] == "inf2.24xlarge"
    assert [team["name"] for team in config["teams"]] == ["red", "blue"]


def test_a_terminal_takes_the_parameters_of_a_model_of_an_unknown_family(
    project: Path, command: Command, keyboard: TextIO
) -> None:
    (project / "bert.json").write_text('{"model_type": "bert"}')
    keyboard.write("us-west-2\nbert.json\n8B\n16\n\n\n")
    keyboard.flush()
    ran = command("new", "probe", "--purpose", "train", "--account", "210987654321")
    assert ran.status == 0
    assert "a number of parameters: 70B" in ran.err
    assert (
        (project / "environments" / "probe.yaml").read_text().splitlines()[1].startswith("# Train 8B on 1 x trn1.32xl")
    )


def test_a_terminal_takes_devices_without_a_model(project: Path, command: Command, keyboard: TextIO) -> None:
    keyboard.write("us-west-2\n\n32\n\n\n")
    keyboard.flush()
    assert command("new", "probe", "--purpose", "train", "--account", "210987654321").status == 0
    config = yaml.safe_load((project / "environments" / "probe.yaml").read_text())
    assert config["eks"]["node_groups"][1]["count"]["max"] == 2


def test_a_terminal_is_not_prompted_when_nothing_required_is_missing(
    project: Path, command: Command, keyboard: TextIO
) -> None:
    assert keyboard.writable()
    assert command("new", "probe", *GIVEN).err == ""
    assert written(project) == ["probe.yaml"]


def test_instances_that_fit_a_model_with_teams(project: Path, command: Command) -> None:
    size = ("--model", "llama-3.1-8b", "--devices", "6", "--team", "red", "--team", "blue")
    ran = command("new", "probe", *GIVEN, "--purpose", "serve", *size)
    assert ran.status == 0, ran.err
    config = yaml.safe_load((project / "environments" / "probe.yaml").read_text())
    group = config["eks"]["node_groups"][1]
    assert group["instance_type"].startswith("inf2.")
    assert [team["quota"][0]["devices"] for team in config["teams"]] == [3, 3]
    assert command("validate", "probe").status == 0


def test_the_end_of_the_input_writes_nothing(project: Path, command: Command, keyboard: TextIO) -> None:
    keyboard.write("\n\n\x04")
    keyboard.flush()
    ran = command("new", "probe")
    assert ran.status == 1
    assert ran.err.endswith("error: the input has ended; nothing was written\n  hint: add --account\n")
    assert written(project) == []


def test_an_existing_vpc_comes_with_its_example_lock(project: Path, command: Command) -> None:
    place = ("--template", "existing-vpc", "--account", "210987654321", "--region", "us-west-2")
    assert command("new", "probe", *place).status == 0
    assert written(project) == ["locks", "probe.yaml"]
    assert command("validate", "probe").status == 0


def test_a_second_region_uses_the_base_of_the_first(project: Path, command: Command) -> None:
    west = ("--template", "train-west", "--account", "210987654321", "--region", "us-west-2")
    east = ("--template", "train-east", "--account", "210987654321", "--region", "us-east-1")
    assert [command("new", "west", *west).status, command("new", "east", *east).status] == [0, 0]
    assert written(project) == ["bases", "east.yaml", "west.yaml"]
    assert command("validate").status == 0


def test_a_base_of_ones_own_is_not_overwritten(project: Path, command: Command) -> None:
    base = project / "environments" / "bases" / "train.yaml"
    base.parent.mkdir()
    base.write_text("schema: 1\n")
    ran = command("new", "west", "--template", "train-west", "--account", "210987654321", "--region", "us-west-2")
    assert (ran.status, base.read_text()) == (1, "schema: 1\n")
    assert "environments/bases/train.yaml exists and differs from the base of the template" in ran.err
    assert written(project) == ["bases"]


def test_zones_offer_the_instances_that_a_base_has(project: Path, command: Command) -> None:
    place = ("--template", "train-east", "--account", "210987654321", "--region", "us-east-1")
    assert command("new", "east", *place).status == 0
    found = command("validate", "east", "--format", "json").document["findings"]
    assert "W3003" not in {each["id"] for each in found}


def test_placeholders_of_a_base_are_named_with_the_file(project: Path, command: Command) -> None:
    ran = command("new", "west", "--template", "train-west", "--account", "210987654321", "--region", "us-west-2")
    first, second, *_ = ran.out.splitlines()
    assert first == "environments/west.yaml, environments/bases/train.yaml: from the template train-west"
    assert second.startswith("Edit before a deploy to AWS: bases/train.yaml, eks.access.admins[0]: the ARN")


def test_instances_of_a_base_are_not_sized(project: Path, command: Command) -> None:
    place = ("--template", "train-west", "--account", "210987654321", "--region", "us-west-2")
    ran = command("new", "west", *place, "--devices", "32")
    assert ran.status == 1
    assert "the instances of template train-west are in its base, which other environments extend too" in ran.err
    assert written(project) == []


def test_an_environment_to_serve_a_model_renders_a_server_with_weights_of_its_bucket(
    project: Path, command: Command
) -> None:
    ran = command("new", "chat", *GIVEN[2:], "--purpose", "serve", "--model", "llama-3.1-8b")
    assert ran.status == 0, ran.err
    values = {
        "weights.source": "s3", "weights.url": "s3://weights-1/teams/serving/llama", "weights.sizeGib": 20,
        "serviceAccount.create": "false", "serviceAccount.name": "server", "model.name": "llama-3.1-8b",
        "model.maxModelLen": 8192, "model.maxNumSeqs": 1,
    }  # fmt: skip
    settings = [word for key, value in values.items() for word in ("--set", f"{key}={value}")]
    rendered = command("workload", "render", "neuron-serving", "chat", "--bucket", "weights-1", *settings)
    assert rendered.status == 0, rendered.err
    assert "sdk2.31.1" in rendered.out
