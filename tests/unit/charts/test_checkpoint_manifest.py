"""The manifest of a checkpoint: written last, compared before it is loaded, and what it finds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from checkpoint_manifest import (
    MANIFEST,
    FaultKind,
    InvalidManifest,
    Manifest,
    checksum_faults,
    crc32_of,
    read_manifest,
    size_faults,
    sizes_of,
    write_manifest,
)
from manifest_writer import ManifestWriter, is_marked
from resume import CheckpointOptions, Checksums, WithoutManifest, settle
from training import run_alone

LAUNCH_ONE = """
import sys, launch
launch.POLL_SECONDS = 0.05
sys.argv[1:] = ["-c", '''
import os, pathlib
folder = pathlib.Path(os.environ["CHECKPOINT_DIRECTORY"])
found = sorted(path.name for path in folder.glob("step-*"))
print("found", found)
(folder / "step-300").mkdir()
(folder / "step-300" / "__0_0.distcp").write_bytes(b"300")
(folder / "step-300" / ".metadata").touch()
''']
sys.exit(launch.main())
"""


def checkpoint(folder: Path, step: int, *, mark: str = ".metadata", manifest: bool = True) -> Path:
    target = folder / f"step-{step}"
    (target / "shards").mkdir(parents=True)
    (target / "shards" / "a").write_bytes(b"1" * step)
    (target / "shards" / "b").write_bytes(b"2" * step)
    (target / mark).touch()
    if manifest:
        write_manifest(target, step, parallelism={"ranks": 2}, sdk="2.32.0", checksums=True)
    return target


def options(
    without: WithoutManifest = WithoutManifest.UNTIL_FIRST, checksums: Checksums = Checksums.NONE
) -> CheckpointOptions:
    return CheckpointOptions(without_manifest=without, checksums=checksums, sdk="2.32.0")


def kept(folder: Path) -> Manifest:
    return read_manifest((folder / MANIFEST).read_text())


def test_the_manifest_lists_all_files_but_itself(tmp_path: Path) -> None:
    target = checkpoint(tmp_path, 100)
    again = write_manifest(target, 100, parallelism={"ranks": 2}, sdk="2.32.0", checksums=True)
    assert kept(target) == again
    assert [(file.path, file.size) for file in again.files] == [(".metadata", 0), ("shards/a", 100), ("shards/b", 100)]
    assert (again.step, again.sdk, again.parallelism, again.bytes) == (100, "2.32.0", {"ranks": 2}, 200)
    assert size_faults(again, sizes_of(target)) == []
    assert checksum_faults(again, lambda path: crc32_of(target / path)) == []


def test_files_that_differ_are_named_with_how(tmp_path: Path) -> None:
    target = checkpoint(tmp_path, 100)
    (target / "shards" / "a").write_bytes(b"1" * 99)
    (target / "shards" / "b").unlink()
    (target / ".metadata").write_bytes(b"more")
    (target / "another").touch()
    found = {fault.path: fault.kind for fault in size_faults(kept(target), sizes_of(target))}
    assert found == {".metadata": FaultKind.LONG, "shards/a": FaultKind.SHORT, "shards/b": FaultKind.MISSING}


def test_contents_that_were_exchanged_are_told_from_changed_ones(tmp_path: Path) -> None:
    target = checkpoint(tmp_path, 100)
    (target / "c").write_bytes(b"3")
    manifest = write_manifest(target, 100, parallelism={}, checksums=True)
    one, other = target / "shards" / "a", target / "shards" / "b"
    content = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(content)
    (target / "c").write_bytes(b"4")
    found = {fault.path: str(fault) for fault in checksum_faults(manifest, lambda path: crc32_of(target / path))}
    assert found["shards/a"] == "shards/a is exchanged: it has the content of shards/b"
    assert found["shards/b"] == "shards/b is exchanged: it has the content of shards/a"
    assert found["c"].startswith("c is changed: CRC-32 ")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"version": 2}',
        '{"version": 1, "step": 1',
        "[" * 100_000,
        '{"version": 1, "step": 1e999, "completed": "", "parallelism": {}, "sdk": "", "files": []}',
        json.dumps(
            {
                "version": 1,
                "step": 1,
                "completed": "",
                "parallelism": {},
                "sdk": "",
                "files": [{"path": "../a", "size": 1, "crc32": -1}],
            }
        ),
    ],
)
def test_what_is_no_manifest_is_not_read(text: str) -> None:
    with pytest.raises(InvalidManifest):
        read_manifest(text)


def test_the_newest_with_a_true_manifest_is_loaded_and_newer_ones_are_set_aside(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for step in (100, 200, 300, 400):
        checkpoint(tmp_path, step, manifest=step < 400)
    (tmp_path / "step-300" / "shards" / "b").write_bytes(b"cut")
    assert settle(tmp_path, options()) == "step-200"
    assert sorted(path.name for path in tmp_path.glob("step-*")) == ["step-100", "step-200"]
    assert sorted(path.name[:8] for path in (tmp_path / "_incomplete").iterdir()) == ["step-300", "step-400"]
    assert "shards/b is short: 3 bytes, and the manifest has 300" in capsys.readouterr().err


def test_contents_are_compared_only_on_request(tmp_path: Path) -> None:
    for step in (100, 200):
        checkpoint(tmp_path, step)
    (tmp_path / "step-200" / "shards" / "b").write_bytes(b"3" * 200)
    assert settle(tmp_path, options()) == "step-200"
    assert settle(tmp_path, options(checksums=Checksums.VERIFY)) == "step-100"


@pytest.mark.parametrize(
    ("without", "manifests", "newest"),
    [
        (WithoutManifest.UNTIL_FIRST, (), "step-200"),
        (WithoutManifest.UNTIL_FIRST, (100,), "step-100"),
        (WithoutManifest.ACCEPT, (100,), "step-200"),
        (WithoutManifest.REJECT, (), ""),
    ],
)
def test_no_run_is_lost_by_an_upgrade(
    tmp_path: Path, without: WithoutManifest, manifests: tuple[int, ...], newest: str
) -> None:
    for step in (100, 200):
        checkpoint(tmp_path, step, manifest=step in manifests)
    assert settle(tmp_path, options(without)) == newest


def test_a_volume_that_renames_nothing_keeps_the_checkpoint_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (checkpoint(tmp_path, 100) / "shards" / "b").unlink()
    (tmp_path / "_incomplete").touch()
    assert settle(tmp_path, options()) == "step-100"
    assert "delete it, or the ranks load it" in capsys.readouterr().err


def test_without_a_folder_nothing_is_loaded(tmp_path: Path) -> None:
    assert settle(None, options()) == ""
    assert settle(tmp_path / "none", options()) == ""


@pytest.mark.parametrize(
    ("folder", "mark", "complete"),
    [
        ("step_5", "done", True),
        ("step-5", ".metadata", True),
        ("5", "_CHECKPOINT_METADATA", True),
        ("5.orbax-checkpoint-tmp-1", "_CHECKPOINT_METADATA", False),
        ("step_5", "checkpoint", False),
    ],
    ids=["NxD", "DCP", "Orbax", "Orbax writes", "NxD writes"],
)
def test_what_frameworks_call_complete(tmp_path: Path, folder: str, mark: str, complete: bool) -> None:
    (tmp_path / folder).mkdir()
    (tmp_path / folder / mark).touch()
    assert is_marked(tmp_path / folder) == complete


def test_manifests_are_written_for_complete_checkpoints_alone(tmp_path: Path) -> None:
    for step, mark in ((100, ".metadata"), (200, "unknown")):
        checkpoint(tmp_path, step, mark=mark, manifest=False)
    ManifestWriter(tmp_path, {"nodes": 2}, "2.32.0", checksums=True).write_missing()
    assert (kept(tmp_path / "step-100").has_checksums, kept(tmp_path / "step-100").parallelism) == (True, {"nodes": 2})
    assert not (tmp_path / "step-200" / MANIFEST).exists()


def test_the_launcher_sets_aside_what_is_damaged_and_completes_the_last_save(tmp_path: Path) -> None:
    folder = tmp_path / "checkpoints"
    for step in (100, 200):
        checkpoint(folder, step)
    (folder / "step-200" / "shards" / "a").unlink()
    ran = run_alone(tmp_path, LAUNCH_ONE, TRAINING_NODES="1", CHECKPOINT_DIRECTORY=str(folder))
    assert ran.returncode == 0, ran.stderr
    assert "the newest checkpoint is step-100" in ran.stdout
    assert "found ['step-100']" in ran.stdout
    made = kept(folder / "step-300")
    assert (made.step, made.sdk, made.parallelism) == (300, "2.32.0", {"nodes": 1, "cores_per_node": 64})
