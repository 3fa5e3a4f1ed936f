"""The local AWS is a package of its own: it works where the toolkit is not installed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.mark.slow
def test_a_stack_lives_where_the_toolkit_cannot_be_imported() -> None:
    program = Path(__file__).with_name("alone.py")
    environ = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, program], env=environ, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["CREATE_COMPLETE", "UPDATE_COMPLETE", "DELETE_COMPLETE"], done.stderr
