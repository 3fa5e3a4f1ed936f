"""Changes from one lock to another."""

from __future__ import annotations

from msgspec import structs

from neuron_cluster.lock.diff import change_as_data, change_row, drift, lock_changes, pin_rows
from neuron_cluster.lock.model import Lock, LockedAmiRelease, LockedArtifact, LockedImage


def test_the_same_answers_move_nothing(lock: Lock) -> None:
    assert lock_changes(lock, structs.replace(lock, addons=dict(reversed(lock.addons.items())))) == []


def test_each_entry_is_added_changed_or_removed(lock: Lock) -> None:
    newer = structs.replace(
        lock,
        ami_releases={
            **lock.ami_releases,
            "AL2023_x86_64_NEURON": LockedAmiRelease("1.35.7-20260901", "ami-0123456789abcdef1"),
        },
        dlamis={},
        addons={**lock.addons, "kube-proxy": "v1.35.3-eksbuild.13"},
    )
    assert [change_row(change) for change in lock_changes(lock, newer)] == [
        ("changed", "EKS AMI", "AL2023_x86_64_NEURON release_version", "1.35.6-20260714", "1.35.7-20260901"),
        ("added", "add-on", "kube-proxy", "-", "v1.35.3-eksbuild.13"),
        ("removed", "Deep Learning AMI", "base_ubuntu_24_04 image_id", "ami-0123456789abcdef2", "-"),
    ]


def test_without_an_earlier_lock_everything_is_added(lock: Lock) -> None:
    changes = lock_changes(None, lock)
    assert {change.kind for change in changes} == {"added"}
    assert ("account",) in {change.path for change in changes}
    assert ("format",) not in {change.path for change in changes}


NAMED = LockedImage("ami-0123456789abcdef2", "Deep Learning Base AMI Neuron (Ubuntu 24.04) 20261020", "2.33.0", 75)


def test_a_lock_of_an_earlier_release_without_names_and_sizes_of_amis_has_no_drift(lock: Lock) -> None:
    earlier, named = structs.replace(lock, amis={}), structs.replace(lock, dlamis={"base_ubuntu_24_04": NAMED})
    assert drift(earlier, named) == drift(named, earlier) == []
    moved = structs.replace(
        named, dlamis={"base_ubuntu_24_04": structs.replace(NAMED, image_id="ami-0123456789abcdef9")}
    )
    assert [change.path[-1] for change in drift(named, moved)] == ["image_id"]


def test_another_digest_of_a_registry_is_drift_and_a_failed_lookup_is_not(lock: Lock) -> None:
    silent = structs.replace(lock, charts={name: LockedArtifact(c.version, None) for name, c in lock.charts.items()})
    assert drift(lock, silent) == []
    (lost,) = lock_changes(lock, silent)
    assert change_row(lost)[-1] == "not known"
    assert (change_as_data(lost)["kind"], change_as_data(lost)["after"]) == ("changed", None)
    other = f"sha256:{'f' * 64}"
    moved = structs.replace(lock, images={**lock.images, "registry.example/a:1.0": other})
    assert [(change.path, change.after) for change in drift(lock, moved)] == [
        (("images", "registry.example/a:1.0"), other)
    ]


def test_a_chart_that_the_lock_lacks_is_drift_although_its_digest_is_not_known(lock: Lock) -> None:
    more = structs.replace(lock, charts={**lock.charts, "new": LockedArtifact("2.0", None)})
    assert {change.path for change in drift(lock, more)} == {("charts", "new", "version"), ("charts", "new", "digest")}


def test_a_new_lock_is_a_row_for_each_name_with_short_digests_and_one_for_all_images(lock: Lock) -> None:
    changes = lock_changes(None, lock)
    rows = pin_rows(changes)
    assert len(rows) < len(changes)
    assert len({row[:2] for row in rows}) == len(rows)
    assert [row for row in rows if row[0] == "container image"] == []
    assert rows[-1] == ("container images", f"{len(lock.images)}", f"{_with_digest(lock)} with a digest")
    assert max(len(word) for row in rows for word in row[2].split()) <= len("ami-0123456789abcdef0,")


def test_a_value_that_is_not_known_is_said_once_in_a_new_lock(lock: Lock) -> None:
    unknown = structs.replace(lock, images=dict.fromkeys(lock.images))
    assert pin_rows(lock_changes(None, unknown))[-1][2] == "digests not known"


def _with_digest(lock: Lock) -> int:
    return sum(digest is not None for digest in lock.images.values())
