"""The command that locks a file, as hints name it."""

from __future__ import annotations

from pathlib import Path

import pytest

from neuron_cluster.lock.paths import local_locks, lock_command, locks_beside
from neuron_cluster.pipeline import check_environment

SHIPPED = Path(__file__).parents[3] / "environments" / "dev-inf2.yaml"


@pytest.mark.parametrize(
    ("file", "argument"),
    [
        ("environments/dev-inf2.yaml", "dev-inf2"),
        ("drafts/dev-inf2.yaml", "drafts/dev-inf2.yaml"),
        ("environments/old/dev-inf2.yaml", "environments/old/dev-inf2.yaml"),
        ("/elsewhere/environments/dev-inf2.yaml", "/elsewhere/environments/dev-inf2.yaml"),
        ("my drafts/a.yml", "'my drafts/a.yml'"),
    ],
)
def test_a_file_is_named_as_a_command_takes_it(file: str, argument: str) -> None:
    assert lock_command(file) == f"neuron-cluster lock {argument}"
    assert lock_command(file, locks_beside(Path(file))) == f"neuron-cluster lock {argument}"
    assert lock_command(file, local_locks(Path("p"))) == f"neuron-cluster lock --local {argument}"


@pytest.mark.parametrize("name", ["dev-inf2", "../x"])
def test_a_draft_is_locked_by_its_path_whatever_its_name(name: str, tmp_path: Path) -> None:
    """A broken name is replaced by an example to read on; nobody is sent to the environment of that name."""
    draft = tmp_path / "draft.yaml"
    draft.write_text(SHIPPED.read_text().replace("name: dev-inf2", f"name: {name}"))
    hints = [each.hint for each in check_environment(draft).findings if each.id == "W3011"]
    assert hints
    assert all(hint.startswith(f"run `neuron-cluster lock {draft}`, which") for hint in hints)
