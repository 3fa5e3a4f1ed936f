"""Lets these tests import the examples of nodes and pods."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[4] / "local_kubernetes" / "scheduling"))
