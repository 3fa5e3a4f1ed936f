"""Lets these tests import the writer of goldens, so that both spell a template in the same way."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
