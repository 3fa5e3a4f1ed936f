"""`upgrade` on the command line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from .conftest import PROJECT, Command

SHIPPED = (PROJECT / "environments" / "train-trn1.yaml").read_text()
PINNED = SHIPPED.replace("sdk: 2.32.0", 'sdk: "2.31.1"  # ours')
"""Everything in it works with 2.31.1 too."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "train-trn1.yaml"
    file.write_text(PINNED)
    return file


def test_it_shows_what_moves_and_writes_nothing(command: Command, file: Path) -> None:
    ran = command("upgrade", str(file), "--to", "2.32.0")
    assert (ran.status, ran.err) == (0, "")
    assert "from Neuron SDK 2.31.1 to 2.32.0" in ran.out
    assert "neuron.sdk  2.31.1 -> 2.32.0" in ran.out
    assert "Nothing was written" in ran.out
    assert file.read_text() == PINNED
    assert [line for line in ran.out.splitlines() if len(line) > 80 and str(file) not in line] == []


def test_write_edits_the_value_and_keeps_the_rest(command: Command, file: Path) -> None:
    file.chmod(0o640)
    ran = command("upgrade", str(file), "--to", "2.32.0", "--write")
    assert ran.status == 0
    assert f"was edited. Next: `neuron-cluster lock {file}`" in " ".join(ran.out.split())
    assert file.read_text() == PINNED.replace("2.31.1", "2.32.0")
    assert file.stat().st_mode & 0o777 == 0o640
    assert list(file.parent.iterdir()) == [file]


def test_after_an_edit_the_ami_of_slurm_is_built_between_lock_and_diff(command: Command, tmp_path: Path) -> None:
    lines = (PROJECT / "environments" / "slurm-trn1.yaml").read_text().splitlines(keepends=True)
    text = "".join(line for line in lines if not line.strip().startswith("ami_id"))
    file = tmp_path / "slurm-trn1.yaml"
    file.write_text(text.replace("sdk: 2.32.0", "sdk: 2.31.1"))
    ran = command("upgrade", str(file), "--to", "2.32.0", "--write")
    assert ran.status == 0
    shown = " ".join(ran.out.split())
    assert "What you do beside the edits slurm.dlami the lock has no AMI of the Slurm nodes" in shown
    commands = (f"`neuron-cluster {verb} {file}`" for verb in ("lock", "image build", "diff"))
    assert f"Next: {', then '.join(commands)}, then deploy." in shown
    assert [line for line in ran.out.splitlines() if len(line) > 80 and str(file) not in line] == []


@pytest.fixture
def two(tmp_path: Path) -> Path:
    """Two environments of one base, which has the release."""
    folder = tmp_path / "environments"
    (folder / "bases").mkdir(parents=True)
    (tmp_path / "cdk.json").write_text("{}")
    (folder / "bases" / "train.yaml").write_text(PINNED.replace("name: train-trn1\n", "", 1))
    for name in ("one", "two"):
        (folder / f"{name}.yaml").write_text(f"extends: bases/train.yaml\nname: {name}\n")
    return folder


def test_a_value_of_a_base_is_edited_there_and_the_others_are_named(command: Command, two: Path) -> None:
    own = (two / "one.yaml").read_text()
    ran = command("upgrade", str(two / "one.yaml"), "--to", "2.32.0", "--write")
    assert ran.status == 0
    text = " ".join(ran.out.split())
    assert f"Written in the base {two}/bases/train.yaml: neuron.sdk." in text
    assert f"The edits change {two}/two.yaml too." in text
    assert (two / "one.yaml").read_text() == own
    assert (two / "bases" / "train.yaml").read_text() == PINNED.replace("name: train-trn1\n", "", 1).replace(
        "2.31.1", "2.32.0"
    )


def test_nothing_is_written_to_a_base_where_another_environment_would_have_errors(command: Command, two: Path) -> None:
    (two / "two.yaml").write_text(
        "extends: bases/train.yaml\nname: two\nneuron: {frameworks: [torch_neuronx_inference]}\n"
    )
    before = (two / "bases" / "train.yaml").read_text()
    ran = command("upgrade", str(two / "one.yaml"), "--to", "2.32.0", "--write", "--format", "json")
    assert ran.status == 1
    assert ran.document["also_changes"] == [f"{two}/two.yaml"]
    assert {each["file"] for each in ran.document["findings"]} == {f"{two}/two.yaml"}
    assert ran.document["is_written"] is False
    assert (two / "bases" / "train.yaml").read_text() == before


def test_a_second_write_finds_nothing_to_do(command: Command, file: Path) -> None:
    command("upgrade", str(file), "--to", "2.32.0", "--write")
    ran = command("upgrade", str(file), "--to", "2.32.0", "--write")
    assert ran.status == 0
    assert ran.out == "train-trn1: already at Neuron SDK 2.32.0; nothing changes.\n"


def test_the_release_of_the_file_changes_nothing(command: Command, file: Path) -> None:
    ran = command("upgrade", str(file), "--to", "2.31.1")
    assert (ran.status, ran.out) == (0, "train-trn1: already at Neuron SDK 2.31.1; nothing changes.\n")
    document = command("upgrade", str(file), "--to", "2.31.1", "--format", "json").document
    assert (document["direction"], document["is_different"], document["edits"]) == ("same", False, [])
    assert command("upgrade", str(file), "--to", "2.32.0", "--format", "json").document["is_different"] is True


def test_images_of_another_release_move_to_the_release_of_the_file(command: Command, file: Path) -> None:
    image = "pytorch-inference-vllm-neuronx:0.21.0.1.0.0-neuronx-py313-sdk2.31.1-ubuntu24.04"
    file.write_text(SHIPPED.replace("neuron:\n", f"neuron:\n  containers: [{image!r}]\n"))
    ran = command("upgrade", str(file), "--to", "2.32.0")
    assert "stays at Neuron SDK 2.32.0; from the catalog, without AWS calls" in " ".join(ran.out.split())
    assert "neuron.containers[0]" in ran.out
    assert "Neuron SDK 2.32.0 to 2.32.0" not in ran.out
    assert "nothing changes" not in ran.out


def test_what_is_left_to_do_at_the_same_release_is_shown(command: Command, tmp_path: Path) -> None:
    lines = (PROJECT / "environments" / "slurm-trn1.yaml").read_text().splitlines(keepends=True)
    file = tmp_path / "slurm-trn1.yaml"
    file.write_text("".join(line for line in lines if not line.strip().startswith("ami_id")))
    ran = command("upgrade", str(file), "--to", "2.32.0")
    text = " ".join(ran.out.split())
    assert text.startswith("slurm-trn1 already at Neuron SDK 2.32.0; the file does not change What you do")
    assert "What comes first" not in text


def test_nothing_is_written_when_the_edited_file_would_have_errors(command: Command, file: Path) -> None:
    """An image of the release before cannot run a framework that came later."""
    text = PINNED.replace("neuron:\n", "neuron:\n  frameworks: [torch_neuronx_inference]\n")
    file.write_text(text)
    ran = command("upgrade", str(file), "--to", "2.32.0", "--write")
    assert ran.status == 1
    assert "E50" in ran.out
    assert "was not changed" in " ".join(ran.out.split())
    assert file.read_text() == text


def test_json_is_one_document(command: Command, file: Path) -> None:
    ran = command("upgrade", str(file), "--to", "2.32.0", "--format", "json")
    document = ran.document
    assert document["before"], document["after"] == ("2.31.1", "2.32.0")
    assert {
        "part": "driver",
        "title": "driver",
        "before": "2.29.0.0",
        "after": "2.30.2.0",
        "doubt_before": None,
        "doubt_after": None,
        "kind": "moves",
    } in document["components"]
    assert document["edits"][0]["path"] == "neuron.sdk"
    assert document["hosts"][0]["order"]
    assert document["is_written"] is False


def test_an_unknown_release_answers_with_near_names(command: Command, file: Path) -> None:
    ran = command("upgrade", str(file), "--to", "2.32")
    assert ran.status == 1
    assert "did you mean 2.32.0" in ran.err


def test_a_release_like_no_other_is_told_where_they_are_listed(command: Command, file: Path) -> None:
    (finding,) = command("upgrade", str(file), "--to", "x", "--format", "json").document["findings"]
    assert (finding["id"], finding["file"], finding["line"]) == ("E9500", None, None)
    assert "--to 'x' is not a Neuron SDK release" in finding["message"]
    assert "`neuron-cluster catalog sdk`" in finding["hint"]


def test_an_unknown_release_in_the_file_is_told_with_its_line(command: Command, file: Path) -> None:
    file.write_text(PINNED.replace("2.31.1", "9.9.9"))
    findings = command("upgrade", str(file), "--to", "2.32.0", "--format", "json").document["findings"]
    (finding,) = [each for each in findings if each["path"] == "neuron.sdk"]
    assert (finding["id"], finding["file"], finding["line"] > 0) == ("E6005", str(file), True)


def test_a_file_of_the_wrong_shape_answers_with_its_findings(command: Command, file: Path) -> None:
    file.write_text(PINNED.replace("cidr:", "cird:"))
    ran = command("upgrade", str(file), "--to", "2.32.0", "--write")
    assert ran.status == 1
    assert "cird" in ran.err
    assert file.read_text() == PINNED.replace("cidr:", "cird:")


def test_the_values_of_a_pipe_cannot_be_edited(command: Command, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    ran = command("upgrade", str(tmp_path / "pipe.yaml"), "--to", "2.33.0", "--write")
    assert ran.status == 1
    assert ran.err.startswith(f"error: {tmp_path}/pipe.yaml is a pipe or a device, in which no value can be edited\n")
