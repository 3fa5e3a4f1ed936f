"""Lets these tests edit shipped environments as the rules' fixtures do."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3] / "tools"))
