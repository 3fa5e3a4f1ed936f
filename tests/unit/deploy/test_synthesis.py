"""Running an app: whole or not at all, and blind to credentials."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from neuron_cluster.deploy.assembly import foreign_entries
from neuron_cluster.deploy.disk import DiskError
from neuron_cluster.deploy.synthesis import SynthesisError, app_command, cdk_context, private_assembly, synthesize
from neuron_cluster.errors import ToolkitError

APP = """
import json, os, pathlib, sys
out = pathlib.Path(os.environ["CDK_OUTDIR"])
context = json.loads(os.environ["CDK_CONTEXT_JSON"])
if context["environment"] == "broken":
    (out / "half").write_text("x")
    sys.exit("this is what is wrong")
(out / "cdk.out").write_text("{}")
(out / "manifest.json").write_text(json.dumps({"context": context, "variables": dict(os.environ)}))
"""


@pytest.fixture
def project(tmp_path: Path, kept_sources: None) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / "cdk.json").write_text(json.dumps({"context": {"@aws-cdk/core:flag": True}}))
    (root / "app.py").write_text(APP)
    return root


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_context_is_that_of_cdk_json_and_of_the_options(project: Path) -> None:
    assert cdk_context(project, "train") == {
        "@aws-cdk/core:flag": True,
        "environment": "train",
        "neuron-cluster:judged": True,
        "aws:cdk:enable-path-metadata": False,
        "aws:cdk:enable-asset-metadata": False,
        "aws:cdk:version-reporting": False,
        "aws:cdk:disable-creation-stack-traces": True,
        "aws:cdk:disable-stack-trace": True,
    }


@pytest.mark.parametrize(
    ("settings", "has_app", "is_own"),
    [
        ({"app": ".venv/bin/python app.py"}, True, True),
        ({}, True, True),
        ({"app": "neuron-cluster-app"}, True, False),
        ({"app": ".venv/bin/neuron-cluster-app"}, False, False),
        ({}, False, False),
    ],
)
def test_the_app_is_the_one_that_cdk_json_names(
    settings: dict[str, str], has_app: bool, is_own: bool, project: Path
) -> None:
    (project / "cdk.json").write_text(json.dumps(settings))
    if not has_app:
        (project / "app.py").unlink()
    assert (app_command(project)[1:] == ["app.py"]) is is_own
    assert (app_command(project)[-1] == "neuron_cluster.cdk_app") is not is_own


def test_an_assembly_is_written_and_written_over(project: Path, tmp_path: Path) -> None:
    output = tmp_path / "build" / "out"
    synthesize(project, "one", output)
    synthesize(project, "two", output)
    assert set(files(output)) == {"cdk.out", "manifest.json"}
    assert json.loads((output / "manifest.json").read_text())["context"]["environment"] == "two"
    assert [path.name for path in output.parent.iterdir()] == ["out"]


def test_the_app_sees_no_credentials(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE")
    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    synthesize(project, "one", tmp_path / "out")
    seen = set(json.loads((tmp_path / "out" / "manifest.json").read_text())["variables"])
    assert not [name for name in seen if name.startswith("AWS_") or name == "GITHUB_TOKEN"]


def test_what_the_app_unpacks_for_itself_goes_with_it(project: Path, tmp_path: Path) -> None:
    """jsii leaves folders in the temporary one when it is killed."""
    synthesize(project, "one", tmp_path / "out")
    variables = json.loads((tmp_path / "out" / "manifest.json").read_text())["variables"]
    unpacked = Path(variables["TMPDIR"])
    assert unpacked.name.startswith("neuron-cluster-")
    assert not unpacked.exists()


def test_a_failure_says_what_the_app_said_and_leaves_the_folder_as_it_was(project: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    synthesize(project, "one", output)
    before = files(output)
    with pytest.raises(SynthesisError, match="this is what is wrong"):
        synthesize(project, "broken", output)
    assert files(output) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "project"]


def test_a_failure_makes_no_folder(project: Path, tmp_path: Path) -> None:
    with pytest.raises(SynthesisError):
        synthesize(project, "broken", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_folder_with_other_things_is_refused_and_not_touched(project: Path, tmp_path: Path) -> None:
    output = tmp_path / "thesis"
    output.mkdir()
    (output / "chapter-1.txt").write_text("years of work")
    with pytest.raises(ToolkitError, match="other things than a cloud assembly"):
        synthesize(project, "one", output)
    assert set(files(output)) == {"chapter-1.txt"}


def test_a_strangers_file_beside_an_assembly_is_never_deleted(project: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    synthesize(project, "one", output)
    (output / "thesis.tex").write_text("years of work")
    before = files(output)
    with pytest.raises(ToolkitError, match=r"delete it: thesis\.tex$"):
        synthesize(project, "two", output)
    assert files(output) == before


def test_what_the_cdk_command_leaves_in_an_assembly_is_no_strangers(project: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    synthesize(project, "one", output)
    (output / ".cache").mkdir()
    (output / "read.4711.1.lock").touch()
    synthesize(project, "two", output)
    assert set(files(output)) == {"cdk.out", "manifest.json"}


def test_files_that_the_manifests_name_are_the_assemblys(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(json.dumps({"artifacts": {"a": {"properties": {"file": "a.assets.json"}}}}))
    (tmp_path / "a.assets.json").write_text(json.dumps({"files": {"1": {"source": {"path": "asset.1.zip"}}}}))
    for name in ("cdk.out", "asset.1.zip", "asset.2.zip", "tree.json"):
        (tmp_path / name).touch()
    assert foreign_entries(tmp_path) == ["asset.2.zip"]


def test_a_link_to_an_assembly_stays_a_link(project: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").symlink_to(tmp_path / "elsewhere")
    synthesize(project, "one", tmp_path / "out")
    assert (tmp_path / "out").is_symlink()
    assert set(files(tmp_path / "elsewhere")) == {"cdk.out", "manifest.json"}


def test_a_private_assembly_is_closed_to_others_and_gone_afterwards(project: Path) -> None:
    with private_assembly(project, "one") as assembly:
        assert (assembly / "manifest.json").is_file()
        assert assembly.parent.stat().st_mode & 0o777 == 0o700
    assert not assembly.parent.exists()


def test_a_full_disk_is_a_sentence_and_no_traceback(project: Path, tmp_path: Path) -> None:
    (project / "app.py").write_text("raise OSError(28, 'No space left on device')")
    with pytest.raises(DiskError, match=r"exceeds a limit|disk is full") as caught:
        synthesize(project, "one", tmp_path / "out")
    assert "Traceback" not in caught.value.message


def test_a_home_that_is_no_folder_is_not_passed_on(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", os.devnull)
    synthesize(project, "one", tmp_path / "out")
    variables = json.loads((tmp_path / "out" / "manifest.json").read_text())["variables"]
    assert variables["HOME"] == variables["TMPDIR"]


def test_an_empty_folder_is_taken(project: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    synthesize(project, "one", tmp_path / "out")
    assert "manifest.json" in files(tmp_path / "out")


def test_a_file_is_refused(project: Path, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(ToolkitError, match="not a directory"):
        synthesize(project, "one", tmp_path / "out")
    assert (tmp_path / "out").read_text() == "mine"


def test_the_project_itself_is_refused_even_when_it_looks_like_an_assembly(project: Path) -> None:
    for marker in ("cdk.out", "manifest.json"):
        (project / marker).write_text("{}")
    with pytest.raises(ToolkitError, match="holds the project"):
        synthesize(project, "one", project)
    assert (project / "app.py").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_an_unwritable_place_is_a_sentence(project: Path, tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    with pytest.raises(ToolkitError, match="nothing can be written"):
        synthesize(project, "one", closed / "out")


def test_a_name_that_no_file_system_takes_is_a_sentence(project: Path, tmp_path: Path) -> None:
    for name in ("nul\0byte", "x" * 300):
        with pytest.raises(ToolkitError):
            synthesize(project, "one", tmp_path / name)
