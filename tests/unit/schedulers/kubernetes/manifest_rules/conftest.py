"""Lets these tests import the readers of fixtures."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[5] / "tools"))
