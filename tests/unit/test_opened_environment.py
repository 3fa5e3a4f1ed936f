"""Which lock a verb reads."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from neuron_cluster.errors import ToolkitError
from neuron_cluster.lock.paths import local_locks, lock_path, locks_beside
from neuron_cluster.opened_environment import locks_for, opened_environment
from neuron_cluster.project import EnvironmentFile, Project

PROJECT = Path(__file__).parents[2]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    shutil.copytree(PROJECT / "environments", tmp_path / "environments", ignore=shutil.ignore_patterns("locks"))
    return Project(tmp_path)


def lock(locks: Path) -> Path:
    """Puts a file where a lock of dev-inf2 would stand."""
    locks.mkdir(parents=True)
    lock_path(locks, "dev-inf2").touch()
    return locks


def test_for_aws_it_is_the_one_beside_the_file_whatever_else_there_is(project: Project) -> None:
    file = project.environment_file("dev-inf2")
    lock(local_locks(project.root))
    assert locks_for(file.path, "dev-inf2", None) == project.environments / "locks"


def test_for_the_local_aws_its_own_lock_comes_first(project: Project) -> None:
    file = project.environment_file("dev-inf2")
    assert locks_for(file.path, "dev-inf2", project) == local_locks(project.root)
    beside = lock(locks_beside(file.path))
    assert locks_for(file.path, "dev-inf2", project) == beside
    local = lock(local_locks(project.root))
    assert locks_for(file.path, "dev-inf2", project) == local


def test_a_copy_is_tried_out_on_the_local_aws_with_the_lock_of_the_project(project: Project) -> None:
    copy = project.root / "drafts" / "tried.yaml"
    copy.parent.mkdir()
    shutil.copy(project.environment_file("dev-inf2").path, copy)
    ours = lock(project.environments / "locks")
    file = EnvironmentFile(copy, str(copy))
    assert locks_for(file.path, "dev-inf2", project) == ours
    assert locks_for(file.path, "dev-inf2", None) == copy.parent / "locks"


def test_a_file_that_cannot_be_read_has_its_lock_beside_it(project: Project) -> None:
    assert locks_for(project.root / "gone.yaml", None, project) == project.root / "locks"


def test_a_base_that_is_edited_while_templates_are_made_is_noticed(project: Project) -> None:
    (project.root / "cdk.json").write_text("{}")
    base = project.environment_file("dev-inf2").path
    (project.environments / "small.yaml").write_text("extends: dev-inf2.yaml\nname: small\n")
    opened = opened_environment("small", str(project.root), is_local=True)
    assert [each.path for each in opened.checked.loaded.bases] == [base]
    assert opened.locate(("region",)).file == str(base)
    opened.require_unedited()
    base.write_text(base.read_text() + "\n")
    with pytest.raises(ToolkitError, match=r"small\.yaml or its lock or a base of it was written"):
        opened.require_unedited()
    again = opened_environment("small", str(project.root), is_local=True).reopened(opened.locks)
    assert [each.path for each in again.checked.loaded.bases] == [base]
    again.require_unedited()


def test_keys_are_located_in_the_text_that_was_read_not_in_a_later_edit(project: Project) -> None:
    (project.root / "cdk.json").write_text("{}")
    file = project.environment_file("dev-inf2")
    opened = opened_environment("dev-inf2", str(project.root), is_local=False)
    line = opened.locate(("region",)).line
    assert file.path.read_text().splitlines()[line - 1].startswith("region:")
    file.path.write_text("\n\n\n" + file.path.read_text())
    assert opened.locate(("region",)).line == line


def test_a_pipe_is_read_once_for_the_local_aws_too(project: Project) -> None:
    (project.root / "cdk.json").write_text("{}")
    text = project.environment_file("dev-inf2").path.read_bytes()
    read, write = os.pipe()
    os.write(write, text)
    os.close(write)
    opened = opened_environment(f"/dev/fd/{read}", str(project.root), is_local=True)
    os.close(read)
    assert opened.plan.name == "dev-inf2"
    assert opened.locate(("region",)).line == text.decode().splitlines().index("region: us-west-2") + 1
