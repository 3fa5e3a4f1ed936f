"""The programs of tools/ are imported as they import each other: by their own names."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3] / "tools"))
