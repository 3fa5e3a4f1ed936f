"""An assembly is made once: the same inputs copy the kept one, any other input runs the app."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from neuron_cluster.deploy import assembly_cache
from neuron_cluster.deploy.assembly_cache import PLACE
from neuron_cluster.deploy.synthesis import SynthesisError, synthesize

APP = """
import json, os, pathlib, sys
root = pathlib.Path(__file__).parent
with (root / "runs").open("a") as runs:
    runs.write("x")
out = pathlib.Path(os.environ["CDK_OUTDIR"])
name = json.loads(os.environ["CDK_CONTEXT_JSON"])["environment"]
text = (root / "environments" / f"{name}.yaml").read_text()
if "broken" in text:
    sys.exit("this is what is wrong")
if "edited meanwhile" in text:
    (root / "environments" / f"{name}.yaml").write_text("another")
(out / "cdk.out").write_text("{}")
(out / "manifest.json").write_text(json.dumps({"text": text, "assets": ["asset.0123.zip", "asset.4567"]}))
(out / "asset.0123.zip").write_bytes(b"zipped")
(out / "asset.4567").mkdir()
(out / "asset.4567" / "index.py").write_text("pass")
"""
Edit = Callable[[Path], object]


@pytest.fixture
def project(tmp_path: Path, kept_sources: None) -> Path:
    root = tmp_path / "project"
    for folder in ("environments/locks", "node_modules", "stacks", "charts/one"):
        (root / folder).mkdir(parents=True)
    (root / "cdk.json").write_text(json.dumps({"context": {"flag": True}}))
    (root / "app.py").write_text(APP)
    (root / "environments" / "one.yaml").write_text("extends: base.yaml")
    (root / "environments" / "base.yaml").write_text("name: one")
    return root


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def runs(project: Path) -> int:
    return len((project / "runs").read_text())


def synthesized(project: Path, output: str = "out") -> dict[str, bytes]:
    synthesize(project, "one", project.parent / output)
    return files(project.parent / output)


def test_the_same_inputs_run_the_app_once_and_give_the_same_files(project: Path) -> None:
    first = synthesized(project)
    assert synthesized(project, "elsewhere") == first == synthesized(project)
    assert set(first) == {"cdk.out", "manifest.json", "asset.0123.zip", "asset.4567/index.py"}
    assert runs(project) == 1


EDITS: dict[str, Edit] = {
    "file": lambda root: (root / "environments" / "one.yaml").write_text("extends: base.yaml  # two"),
    "base": lambda root: (root / "environments" / "base.yaml").write_text("name: two"),
    "lock": lambda root: (root / "environments" / "locks" / "one.yaml").write_text("schema: 1"),
    "app": lambda root: (root / "app.py").write_text(f"{APP}\n"),
    "stack": lambda root: (root / "stacks" / "network.py").write_text("pass"),
    "chart": lambda root: (root / "charts" / "one" / "values.yaml").write_text("a: b"),
    "context": lambda root: (root / "cdk.json").write_text(json.dumps({"context": {"flag": False}})),
}


def test_another_input_runs_the_app_again(project: Path) -> None:
    synthesized(project)
    for number, (name, edit) in enumerate(EDITS.items(), start=2):
        edit(project)
        synthesized(project)
        assert runs(project) == number, name


def test_another_variable_that_synthesis_sees_runs_the_app_again(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CDK_VALIDATION", "false")
    synthesized(project)
    monkeypatch.setenv("CDK_VALIDATION", "true")
    synthesized(project)
    monkeypatch.setenv("AWS_PROFILE", "other")  # one that it does not see
    synthesized(project)
    assert runs(project) == 2


def test_a_failed_synthesis_is_not_kept(project: Path) -> None:
    (project / "environments" / "one.yaml").write_text("broken")
    for _ in range(2):
        with pytest.raises(SynthesisError, match="this is what is wrong"):
            synthesized(project)
    assert runs(project) == 2


def test_an_assembly_whose_file_was_edited_meanwhile_is_not_kept(project: Path) -> None:
    (project / "environments" / "one.yaml").write_text("edited meanwhile")
    synthesized(project)
    (project / "environments" / "one.yaml").write_text("edited meanwhile")
    synthesized(project)
    assert runs(project) == 2


DAMAGES: dict[str, Edit] = {
    "no manifest": lambda cached: (cached / "manifest.json").unlink(),
    "no list of assets": lambda cached: (cached / "assets").unlink(),
    "no asset": lambda cached: (cached.parent / "assets" / "asset.0123.zip").unlink(),
    "nothing left": lambda cached: shutil.rmtree(cached.parent),
}


def test_a_damaged_copy_is_made_anew(project: Path) -> None:
    first = synthesized(project)
    for number, (name, damage) in enumerate(DAMAGES.items(), start=2):
        (cached,) = [path for path in (project / "node_modules" / PLACE).iterdir() if path.name != "assets"]
        damage(cached)
        assert synthesized(project) == first, name
        assert runs(project) == number, name


def test_an_edit_of_what_was_written_does_not_reach_the_kept_copy(project: Path) -> None:
    first = synthesized(project)
    (project.parent / "out" / "asset.0123.zip").write_bytes(b"scribbled")
    (project.parent / "out" / "cdk.out").write_text("scribbled")
    assert synthesized(project) == first


def test_nothing_is_kept_in_a_project_without_the_cdk_command(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "empty"))  # root can install into the folder of other tests
    (project / "node_modules").rmdir()
    synthesized(project)
    synthesized(project)
    assert runs(project) == 2
    assert not (project / "node_modules").exists()


def test_the_assembly_used_longest_ago_goes_first_and_its_assets_with_it(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assembly_cache, "MAX_CACHED", 1)
    synthesized(project)
    (project / "app.py").write_text(APP.replace("asset.4567", "asset.89ab"))
    second = synthesized(project)
    assert sorted(path.name for path in (project / "node_modules" / PLACE / "assets").iterdir()) == [
        "asset.0123.zip",
        "asset.89ab",
    ]
    assert synthesized(project) == second
    assert runs(project) == 2
