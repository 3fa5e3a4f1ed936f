"""Commands of the toolkit in a pack work where its page states, for an environment by name and for a file elsewhere."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from local_kubernetes.model.objects import KubernetesObject
from neuron_cluster.cli.main import main
from neuron_cluster.opened_environment import opened_environment
from neuron_cluster.schedulers.kubernetes.team_pages.pack import KubernetesPack
from tests.five_teams import ROOT, written_with_teams
from tests.unit.handover.packs import SMALL, objects_in, pack_of


def checkout(folder: Path) -> Path:
    """A checkout of the reader's own, with the environments of the project."""
    folder.mkdir()
    for each in ROOT.iterdir():
        if each.name not in (".git", "environments"):
            (folder / each.name).symlink_to(each)
    (folder / "environments").mkdir()
    return folder


def pack_by_path(folder: Path) -> KubernetesPack:
    """The environment file is outside of the project, with a space in its name."""
    file = written_with_teams(folder, [SMALL])
    file = file.rename(folder / "our cluster.yaml")
    return pack_of(opened_environment(str(file), str(ROOT), is_local=False), "small")


def pack_by_name(folder: Path) -> KubernetesPack:
    root = checkout(folder / "writer")
    written_with_teams(root / "environments", [SMALL])
    return pack_of(opened_environment("train-trn1", str(root), is_local=False), "small")


@pytest.mark.parametrize(
    ("pack_in", "place"),
    [(pack_by_path, "our cluster.yaml"), (pack_by_name, "environments/train-trn1.yaml")],
)
def test_the_command_prints_the_objects_of_the_pack_where_the_page_states(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    pack_in: Callable[[Path], KubernetesPack],
    place: str,
) -> None:
    pack = pack_in(tmp_path)
    page = pack.files["README.md"]
    assert f"`{place}`" in page
    assert str(tmp_path) not in "".join(pack.files.values())
    reader = checkout(tmp_path / "reader")
    given = next(each for each in tmp_path.rglob(Path(place).name) if "reader" not in each.parts)
    (reader / place).write_text(given.read_text())
    monkeypatch.chdir(reader)
    (line,) = re.findall(r"^neuron-cluster workload render neuron-training .*$", page, re.MULTILINE)
    assert main(shlex.split(line)[1:]) == 0
    printed = [_of_own(each) for each in yaml.safe_load_all(capsys.readouterr().out) if not _is_test(each)]
    written = [_of_own(body) for file, body in objects_in(pack) if file == "jobs/training.yaml"]
    assert json.dumps(printed, sort_keys=True) == json.dumps(written, sort_keys=True)


def _is_test(body: Mapping[str, Any]) -> bool:
    return bool(KubernetesObject(body, "").hooks)


def _of_own(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """Without the namespace, which the command leaves to helm."""
    return {**body, "metadata": {key: value for key, value in body["metadata"].items() if key != "namespace"}}
