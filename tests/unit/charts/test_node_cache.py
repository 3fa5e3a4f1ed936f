"""The program of charts/neuron-serving that copies weights to a node once for all of its pods."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

FILES = Path(__file__).parents[3] / "charts" / "neuron-serving" / "files"
sys.path.insert(0, str(FILES))

from node_cache import CopyFailed, main, provide

URL = "s3://models/llama"
AWS = """#!/bin/sh
echo "$AWS_CONFIG_FILE $*" >> "$CALLS"
[ -z "$ENDS" ] || [ "$ENDS" != "$AWS_CONFIG_FILE" ] || exit 1
for target; do :; done
[ -n "$EMPTY" ] || echo weights > "$target/model.safetensors"
"""


@pytest.fixture
def aws(tmp_path: Path) -> dict[str, str]:
    """Variables with an ``aws`` that writes one file and its calls."""
    program = tmp_path / "bin" / "aws"
    program.parent.mkdir()
    program.write_text(AWS)
    program.chmod(0o755)
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    return {"PATH": path, "CALLS": str(tmp_path / "calls"), "AWS_CONFIG_FILE": "/etc/aws/config"}


@pytest.fixture
def node(tmp_path: Path) -> Path:
    folder = tmp_path / "node"
    folder.mkdir()
    return folder


def calls(aws: dict[str, str]) -> list[str]:
    return Path(aws["CALLS"]).read_text().splitlines()


@pytest.fixture(autouse=True)
def on_the_path(aws: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A program is looked for on the path of the process that starts it."""
    monkeypatch.setenv("PATH", aws["PATH"])


def test_the_first_pod_copies_and_the_next_one_finds_it(node: Path, aws: dict[str, str]) -> None:
    assert "is copied to" in provide(node, "llama", URL, 1, aws)
    assert (node / "llama" / "model.safetensors").read_text() == "weights\n"
    assert "is there already" in provide(node, "llama", URL, 1, aws)
    (call,) = calls(aws)
    assert call.startswith(f"/etc/aws/config s3 sync --only-show-errors --exclude *.lock {URL} ")


def test_pods_that_start_together_copy_once(node: Path, aws: dict[str, str]) -> None:
    command = [sys.executable, str(FILES / "node_cache.py"), f"--folder={node}", "--name=m", f"--url={URL}", "--gib=0"]
    started = [subprocess.Popen(command, env=aws, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    said = [each.communicate()[0] for each in started]
    assert [each.returncode for each in started] == [0, 0, 0, 0]
    assert len(calls(aws)) == 1
    assert sum("is there already" in each for each in said) == 3


def test_a_copy_goes_on_with_what_a_killed_pod_left_and_other_parts_go(node: Path, aws: dict[str, str]) -> None:
    for name in ("llama.part", "qwen.part"):
        (node / name).mkdir()
        (node / name / "first.safetensors").write_text("from before")
    (node / "llama").mkdir()  # the kubelet's, for a container whose weights are gone
    provide(node, "llama", URL, 0, aws)
    assert sorted(path.name for path in (node / "llama").iterdir()) == ["first.safetensors", "model.safetensors"]
    assert sorted(path.name for path in node.iterdir()) == [".lock", "llama"]


def test_the_usual_client_copies_what_the_fast_one_could_not(node: Path, aws: dict[str, str]) -> None:
    provide(node, "llama", URL, 0, {**aws, "ENDS": "/etc/aws/config"})
    assert [call.split()[0] for call in calls(aws)] == ["/etc/aws/config", "/dev/null"]


def test_nothing_there_is_no_copy(node: Path, aws: dict[str, str]) -> None:
    with pytest.raises(CopyFailed, match=r"has no file: is weights\.url the folder of the model"):
        provide(node, "llama", URL, 0, {**aws, "EMPTY": "1"})
    assert not (node / "llama").exists()


def test_a_disk_without_room_is_named_with_what_is_there(
    node: Path, aws: dict[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (node / "older").mkdir()
    monkeypatch.setattr("os.environ", {**os.environ, **aws})
    arguments = [f"--folder={node}", "--name=llama", f"--url={URL}", f"--gib={10**9}"]
    assert main(arguments) == 1
    error = capsys.readouterr().err
    assert "the copy takes 1000000000 more (weights.sizeGib)" in error
    assert "delete copies there that no server uses (older)" in error
    assert not Path(aws["CALLS"]).exists()


def test_a_folder_that_the_user_cannot_write_is_an_error_without_a_traceback(
    node: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([f"--folder={node / 'absent'}", "--name=llama", f"--url={URL}", "--gib=0"]) == 1
    assert "cannot be written as user" in capsys.readouterr().err
