"""A file of a project, and the environment in it: one name, or a warning."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from neuron_cluster.pipeline import check_environment

SHIPPED = Path(__file__).parents[3] / "environments" / "train-trn1.yaml"


@pytest.fixture
def environments(tmp_path: Path) -> Path:
    folder = tmp_path / "environments"
    folder.mkdir()
    (tmp_path / "cdk.json").write_text("{}")
    return folder


def warnings(path: Path) -> list[tuple[int, str, str]]:
    found = check_environment(path).findings
    return [(each.location.line, each.message, each.hint) for each in found if each.id == "W0019"]


def test_a_copy_that_kept_its_models_name_is_told(environments: Path) -> None:
    shutil.copy(SHIPPED, environments)
    copied = Path(shutil.copy(SHIPPED, environments / "my-cluster.yaml"))
    ((line, message, hint),) = warnings(copied)
    assert copied.read_text().splitlines()[line - 1] == "name: train-trn1"
    assert message == (
        'name is "train-trn1", but the file is my-cluster.yaml: in the same account and Region, '
        "commands on my-cluster change train-trn1"
    )
    assert hint == "write name: my-cluster, or rename the file to train-trn1.yaml"
    assert warnings(environments / "train-trn1.yaml") == []


def test_without_another_of_that_name_it_is_told_too(environments: Path) -> None:
    copied = Path(shutil.copy(SHIPPED, environments / "my-cluster.yaml"))
    ((_, message, _),) = warnings(copied)
    assert message == 'name is "train-trn1", but the file is my-cluster.yaml'


def test_a_draft_is_called_as_one_likes(tmp_path: Path, environments: Path) -> None:
    for place in (tmp_path / "draft.yaml", environments / "old" / "draft.yaml"):
        place.parent.mkdir(exist_ok=True)
        shutil.copy(SHIPPED, place)
        assert warnings(place) == []


def test_a_name_that_is_not_clear_is_not_compared(environments: Path) -> None:
    broken = environments / "my-cluster.yaml"
    broken.write_text(SHIPPED.read_text().replace("name: train-trn1", "name: [train-trn1]"))
    assert warnings(broken) == []
