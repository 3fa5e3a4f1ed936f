"""`images` on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import PROJECT, Command


def test_text_fits_80_and_200_columns(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    for columns in (80, 200):
        monkeypatch.setenv("COLUMNS", str(columns))
        ran = command("images", "train-trn1")
        assert ran.status == 0
        assert [line for line in ran.out.splitlines() if len(line) > columns and " " in line] == []
        assert "neuron-device-plugin:2.32.0.0" in ran.out


def test_the_ami_of_nodes_is_listed(command: Command) -> None:
    ran = command("images", "slurm-trn1")
    assert (ran.status, "ami-0123456789abcdef0" in ran.out) == (0, True)
    (image,) = command("images", "slurm-trn1", "--format", "json").document["node_images"]
    assert (image["path"], image["is_locked"], image["software"]) == ("slurm.ami_id", False, {"Slurm": "25.11"})
    assert command("images", "train-trn1", "--format", "json").document["node_images"] == []


def test_json_is_the_list_and_the_findings(command: Command) -> None:
    document = command("images", "train-trn1", "--format", "json").document
    assert {"environment", "charts", "images", "addons", "eks_registry", "findings"} < set(document)
    assert "commands" not in document
    assert command("images", "train-trn1", "--format", "json", "--commands").document["commands"]


def test_commands_alone_stand_on_standard_output(command: Command) -> None:
    ran = command("images", "train-trn1", "--commands")
    assert ran.out.startswith("# Into 111122223333.dkr.ecr.us-west-2.amazonaws.com.")
    assert "W6002" in ran.err


def test_a_network_that_reaches_nothing_gets_its_list_and_exit_status_1(command: Command, tmp_path: Path) -> None:
    """The list is what such a file needs first."""
    file = tmp_path / "closed.yaml"
    shipped = (PROJECT / "environments" / "train-trn1.yaml").read_text(encoding="utf-8")
    file.write_text(shipped.replace("nat: single", "nat: none"), encoding="utf-8")
    ran = command("images", str(file))
    assert ran.status == 1
    assert "not at all: copy it" in ran.out
    assert "E1005" in ran.err


def test_a_file_with_another_error_has_no_list(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "broken.yaml"
    shipped = (PROJECT / "environments" / "train-trn1.yaml").read_text(encoding="utf-8")
    file.write_text(shipped.replace("region: us-west-2", "region: us-west-9"), encoding="utf-8")
    ran = command("images", str(file))
    assert (ran.status, ran.out) == (1, "")
    assert "E6001" in ran.err


def test_the_help_says_what_to_do_without_internet(command: Command) -> None:
    text = command("images", "--help").out
    assert "eks.image_cache" in text
    assert "--commands" in text
