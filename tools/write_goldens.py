"""Writes the golden templates of every shipped environment: ``make goldens``.

Look at the difference before you commit it: every changed logical id or create-only property replaces something that
people run, and belongs into CHANGELOG.md.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from neuron_cluster.deploy.synthesis import synthesize

ROOT = Path(__file__).parents[1]
GOLDEN = ROOT / "tests" / "golden"
SUFFIX = ".template.json"
ASSET_HASH = re.compile(r"\b[0-9a-f]{64}\b")


def golden_text(template: Mapping[str, Any]) -> str:
    """A template as its golden file holds it. Hashes of assets are masked: they change with every release of CDK."""
    return ASSET_HASH.sub("<hash of the asset>", json.dumps(template, indent=1)) + "\n"


def environments() -> list[str]:
    return sorted(path.stem for path in (ROOT / "environments").glob("*.yaml"))


def write_goldens(environment: str) -> None:
    """Writes the templates of one environment and removes those that it has no more."""
    folder = GOLDEN / environment
    with tempfile.TemporaryDirectory() as temporary:
        assembly = Path(temporary) / "assembly"
        synthesize(ROOT, environment, assembly)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for path in sorted(assembly.glob(f"*{SUFFIX}")):
            (folder / path.name).write_text(golden_text(json.loads(path.read_text())))


def main() -> None:
    for environment in environments():
        write_goldens(environment)
        sys.stdout.write(f"tests/golden/{environment}\n")


if __name__ == "__main__":
    main()
