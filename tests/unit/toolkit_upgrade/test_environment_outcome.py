"""Output of another release in another form, or none, is an error of that release and not a traceback."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from neuron_cluster.project import EnvironmentFile, Project
from neuron_cluster.toolkit_upgrade.environment_outcome import outcomes
from neuron_cluster.toolkit_upgrade.release import Release

MAIN = """
import json, pathlib, sys
printed, files, status = json.loads(pathlib.Path(__file__).with_name("answers.json").read_text())[sys.argv[4]]
if "--output" in sys.argv:
    folder = pathlib.Path(sys.argv[sys.argv.index("--output") + 1])
    for name, text in files.items():
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(text)
print(printed)
sys.exit(status)
"""
FINE = ('{\n"findings": []}', {}, 0)
STACK = {"type": "aws:cloudformation:stack", "properties": {"templateFile": "t.json"}}
MANIFEST = json.dumps({"artifacts": {"first-storage": STACK}})
TEMPLATE = '{"Resources": {"A": {"Type": "AWS::S3::Bucket"}}}'


def outcome_ids(folder: Path, *, validate: object = FINE, synth: object = FINE) -> tuple[list[str], bool]:
    """Ids of the findings, and whether there are templates, of a release that answers so."""
    (folder / "main.py").write_text(MAIN)
    (folder / "answers.json").write_text(json.dumps({"validate": validate, "synth": synth}))
    python = folder / "python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} {folder}/main.py "$@"\n')
    python.chmod(0o755)
    project = Project(folder)
    file = EnvironmentFile(folder / "first.yaml", "first.yaml")
    (folder / "logs").mkdir()
    (found,) = outcomes(project, file, [Release("9.0", python)], folder / "logs")
    return [each.id for each in found.findings], found.assembly is not None


def test_templates_are_read(tmp_path: Path) -> None:
    files = {"manifest.json": MANIFEST, "t.json": TEMPLATE}
    assert outcome_ids(tmp_path, synth=(FINE[0], files, 0)) == ([], True)


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"manifest.json": "{"},
        {"manifest.json": "[]"},
        {"manifest.json": MANIFEST},
        {"manifest.json": MANIFEST, "t.json": '{"Resources": []}'},
        {"manifest.json": MANIFEST, "t.json": '{"Resources": {"A": 1}}'},
    ],
)
def test_a_synthesis_that_ends_well_without_templates_is_an_error(files: dict[str, str], tmp_path: Path) -> None:
    assert outcome_ids(tmp_path, synth=(FINE[0], files, 0)) == (["E9500"], False)


@pytest.mark.parametrize(
    ("printed", "status"), [("Traceback", 1), ('{\n"findings": [{"id": 1}]}', 0), ('{\n"findings": 5}', 0)]
)
def test_findings_in_another_form_are_an_error(printed: str, status: int, tmp_path: Path) -> None:
    assert outcome_ids(tmp_path, validate=(printed, {}, status)) == (["E9500"], False)


def test_a_synthesis_that_fails_without_a_finding_is_an_error(tmp_path: Path) -> None:
    assert outcome_ids(tmp_path, synth=(FINE[0], {}, 1)) == (["E9500"], False)
