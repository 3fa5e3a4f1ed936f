"""A file system that was created without a metadata configuration stays as it is, and the lock records it.

``test_diff_on_local_aws.py`` has one that was created with it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.aws.session import LocalTarget, client
from neuron_cluster.lock.model import Lock
from neuron_cluster.lock.paths import local_locks, lock_path, locks_beside
from neuron_cluster.lock.reader import load_lock

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("local_aws")]

WITHOUT = """
schema: 1
name: older
account: 111122223333
region: us-west-2
lifecycle: ephemeral
neuron: {sdk: 2.32.0}
network: {cidr: 10.40.0.0/16, availability_zones: [usw2-az4, usw2-az1], nat: single}
storage:
  lustre: {availability_zone: usw2-az4, capacity_gib: 2400, metadata: none}
"""
NOT_WRITTEN = WITHOUT.replace(", metadata: none", "")
"""As a file from before there was the key."""
AUTOMATIC = WITHOUT.replace("metadata: none", "metadata: automatic")


def read(path: Path) -> Lock | None:
    return load_lock(path, display_name=path.name, again="").lock


def metadata_of(target: LocalTarget) -> list[Any]:
    rows = client(target, "fsx").describe_file_systems()["FileSystems"]
    return [row["LustreConfiguration"].get("MetadataConfiguration") for row in rows]


@pytest.mark.exhaustive
@pytest.mark.hints("E9031")
def test_it_deploys_unchanged_with_a_warning_and_is_rejected_if_the_file_has_more(
    project: Path, command: Callable[..., Any], target: LocalTarget
) -> None:
    file = project / "environments" / "older.yaml"
    local = lock_path(local_locks(project), "older")
    file.write_text(WITHOUT)
    assert command("deploy", "--local", "older").status == 0
    assert not local.exists()
    assert metadata_of(target) == [None]

    file.write_text(NOT_WRITTEN)
    compared = command("diff", "--local", "older")
    assert (compared.status, compared.document["is_different"], "W4010" in compared.ids) == (0, False, True)
    assert not local.exists()
    ran = command("deploy", "--local", "older")
    assert (ran.status, "W4010" in ran.ids, "no resource changes" in ran.err) == (0, True, True)
    assert read(local) == Lock("older", "111122223333", "us-west-2", None, lustre_metadata="none")
    assert not lock_path(locks_beside(file), "older").exists()

    file.write_text(AUTOMATIC)
    ran = command("deploy", "--local", "older")
    assert (ran.status, ran.ids) == (1, ["E9031"])
    (finding,) = ran.document["findings"]
    assert (finding["path"], "`metadata: none` in storage.lustre" in finding["hint"]) == ("storage.lustre", True)
    file.write_text(WITHOUT)
    assert command("diff", "--local", "older").status == 0

    file.write_text(NOT_WRITTEN)
    assert command("lock", "--local", "older").status == 0  # writes the whole lock anew, the command of E9032
    lock = read(local)
    assert lock is not None
    assert lock.lustre_metadata == "none"
    assert metadata_of(target) == [None]
