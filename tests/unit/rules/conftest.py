"""Lets these tests import the fixture reader, which the page of rules is written with too."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3] / "tools"))
