"""Lets these tests import the writer of the editor schema, which knows the names of the catalog."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3] / "tools"))
