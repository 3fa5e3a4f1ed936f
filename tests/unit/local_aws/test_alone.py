"""The local AWS is a package of its own: it works where the toolkit is not installed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
HERE = Path(__file__).parent
OTHER_PROJECT = ROOT / "tests" / "fixtures" / "other_project.json"


def alone(argument: Path) -> str:
    """Returns the output of the program in a process that cannot import the toolkit."""
    command, environ = [sys.executable, HERE / "alone.py", argument], os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.exhaustive  # tests/architecture holds the imports, tests/integ deploys the app of another project
def test_the_app_of_another_project_is_deployed_updated_and_destroyed() -> None:
    created, drift, updated, later_drift, deleted, left = alone(OTHER_PROJECT).splitlines()
    assert (created, drift) == ("CREATE_COMPLETE FIRST", "IN_SYNC")
    assert (updated, later_drift) == ("UPDATE_COMPLETE EDITED", "IN_SYNC")
    assert (deleted, left) == ("DELETE_COMPLETE", "left: ")


@pytest.mark.slow
@pytest.mark.exhaustive
def test_the_templates_of_the_other_project_are_what_its_app_makes() -> None:
    """Loading CDK takes twice the processor time of the deploys."""
    assert json.loads(alone(HERE / "other_project.py")) == json.loads(OTHER_PROJECT.read_text(encoding="utf-8"))
