"""Writing locks: stable, commented, whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import yaml
from msgspec import structs

from neuron_cluster.errors import ToolkitError
from neuron_cluster.lock.model import Lock
from neuron_cluster.lock.reader import load_lock
from neuron_cluster.lock.tree import LUSTRE_METADATA
from neuron_cluster.lock.writer import lock_text, sources_in, write_lock

AGAIN = "neuron-cluster lock dev-inf2"


def test_what_is_written_is_read(lock: Lock, tmp_path: Path) -> None:
    path = tmp_path / "dev-inf2.yaml"
    assert write_lock(path, lock_text(lock, {}, AGAIN))
    loaded = load_lock(path, display_name="it", again=AGAIN)
    assert loaded.findings == ()
    assert loaded.lock == lock


def test_a_lock_without_cluster_or_entries_is_read(tmp_path: Path) -> None:
    empty = Lock("plain", "111122223333", "us-west-2", None)
    write_lock(tmp_path / "plain.yaml", lock_text(empty, {}, AGAIN))
    assert load_lock(tmp_path / "plain.yaml", display_name="it", again=AGAIN).lock == empty


def test_the_order_in_which_answers_came_changes_no_byte(lock: Lock) -> None:
    turned = structs.replace(
        lock,
        ami_releases=dict(reversed(lock.ami_releases.items())),
        addons=dict(reversed(lock.addons.items())),
        charts=dict(reversed(lock.charts.items())),
        images=dict(reversed(lock.images.items())),
    )
    assert lock_text(turned, {}, AGAIN) == lock_text(lock, {}, AGAIN)


def test_a_source_stands_above_its_entry(lock: Lock) -> None:
    path = ("ami_releases", "AL2023_x86_64_NEURON", "release_version")
    lines = lock_text(lock, {path: "SSM parameter /a/b"}, AGAIN).splitlines()
    place = lines.index("    # SSM parameter /a/b")
    assert lines[place + 1] == '    release_version: "1.35.6-20260714"'
    assert lines[0].count(AGAIN) == 1


def test_the_source_of_each_entry_is_read_back(lock: Lock) -> None:
    sources = {
        ("ami_releases", "AL2023_x86_64_NEURON", "release_version"): "SSM parameter /a/b",
        ("addons", "vpc-cni"): "eks:DescribeAddonVersions",
        ("images", "registry.example/a:1.0"): "the manifest of this tag",
        LUSTRE_METADATA: "fsx:DescribeFileSystems",
    }
    assert sources_in(lock_text(lock, sources, AGAIN)) == sources


def test_another_yaml_reader_takes_every_value_for_a_text(lock: Lock) -> None:
    tree = yaml.safe_load(lock_text(lock, {}, AGAIN))
    assert tree["format"] == 1
    assert tree["account"] == "111122223333"
    assert tree["kubernetes_version"] == "1.35"
    assert tree["images"] == {"registry.example/a:1.0": lock.images["registry.example/a:1.0"],
                              "registry.example/b/c:v1.0": None}  # fmt: skip


def test_the_same_text_leaves_the_file_alone(lock: Lock, tmp_path: Path) -> None:
    path = tmp_path / "locks" / "dev-inf2.yaml"
    assert write_lock(path, lock_text(lock, {}, AGAIN))
    os.utime(path, ns=(1, 1))
    assert not write_lock(path, lock_text(lock, {}, AGAIN))
    assert path.stat().st_mtime_ns == 1


def test_a_folder_that_cannot_be_made_is_a_sentence(lock: Lock, tmp_path: Path) -> None:
    (tmp_path / "locks").write_text("a file stands here")
    with pytest.raises(ToolkitError, match="cannot be written"):
        write_lock(tmp_path / "locks" / "dev-inf2.yaml", lock_text(lock, {}, AGAIN))
