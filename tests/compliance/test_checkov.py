"""checkov over the templates of all shipped environments: every failed check is acknowledged next to its construct.

checkov is in an environment of its own (``requirements-checkov.lock``): it pins other versions of boto3 and PyYAML.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.integ.kept_environment import python_with

from .conftest import ENVIRONMENTS
from .nag import is_of_checkov

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]
CHECKOUT = Path(__file__).parents[2]
LOCK = CHECKOUT / "requirements-checkov.lock"
PROGRAM = Path(__file__).with_name("checkov_findings.py")
Place = tuple[str, str]
"""Construct path and check."""
LEAST_PASSED = 100
"""Passed checks of each environment at least: a run that reads its templates passes twice as many on average."""


def failed_checks(folder: Path) -> tuple[list[tuple[str, str, str]], int]:
    """File, check and logical id of each; how many passed."""
    digest = hashlib.sha256(LOCK.read_bytes()).hexdigest()[:12]
    python = python_with(LOCK, CHECKOUT / "build" / f"checkov-{digest}")
    ran = subprocess.run([python, PROGRAM, folder], capture_output=True, text=True, check=True)
    *failed, end = map(json.loads, ran.stdout.splitlines())
    return [(file, check, logical_id) for file, check, logical_id in failed], end["passed"]


def acknowledged(app: Any) -> Iterator[tuple[str, str, str]]:
    """Construct path, check and reason."""
    for construct in app.node.find_all():
        for entry in construct.node.metadata:
            if entry.type == "aws:cdk:acknowledged-rules":
                for rule, reason in entry.data.items():
                    if is_of_checkov(rule):
                        yield construct.node.path, rule.rpartition("Annotation::")[2], reason


def written_templates(cdk: Any, app: Any, environment: str, folder: Path) -> dict[tuple[str, str], str]:
    """Paths of resources by file and logical id."""
    paths: dict[tuple[str, str], str] = {}
    for stack in app.synth().stacks:
        (folder / f"{stack.stack_name}.json").write_text(json.dumps(stack.template))
    for construct in app.node.find_all():
        if isinstance(construct, cdk.CfnResource):
            logical_id = construct.stack.resolve(construct.logical_id)
            paths[f"{construct.stack.stack_name}.json", logical_id] = f"{environment}/{construct.node.path}"
    return paths


def test_every_failed_check_is_acknowledged_and_every_acknowledgement_is_needed(
    cdk: Any, app_of: Callable[..., Any], tmp_path: Path
) -> None:
    folder = tmp_path / "templates"
    notes: list[tuple[str, str, str]] = []
    paths: dict[tuple[str, str], str] = {}
    folder.mkdir()
    for environment in ENVIRONMENTS:
        app = app_of(environment, {}, outdir=tmp_path / environment, assets_copied=False)
        paths |= written_templates(cdk, app, environment, folder)
        notes += [(f"{environment}/{path}", check, reason) for path, check, reason in acknowledged(app)]
    failed, passed = failed_checks(folder)
    places = {(paths[file, logical_id], check) for file, check, logical_id in failed}

    def is_about(note: tuple[str, str, str], place: Place) -> bool:
        return note[1] == place[1] and f"{place[0]}/".startswith(f"{note[0]}/")

    assert [place for place in sorted(places) if not any(is_about(note, place) for note in notes)] == []
    assert [note[:2] for note in notes if not any(is_about(note, place) for place in places)] == []
    assert [note[:2] for note in notes if len(note[2]) < 20] == []
    assert passed > LEAST_PASSED * len(ENVIRONMENTS)
