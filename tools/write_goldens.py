"""Writes the golden templates of every shipped environment, and of those for tests, and plans: ``make goldens``.

Look at the difference before you commit it: every changed logical id or create-only property replaces something that
people run, and belongs into CHANGELOG.md.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

from neuron_cluster.cli.main import main as main_of_command
from neuron_cluster.deploy.synthesis import synthesize

ROOT = Path(__file__).parents[1]
GOLDEN = ROOT / "tests" / "golden"
SUFFIX = ".template.json"
FOLDERS = (ROOT / "environments", ROOT / "tests" / "fixtures" / "environments")
"""Shipped environments, and those that have what no shipped one has."""
PLAN, PLANNED_ON = "plan.txt", "2026-11-21"
SUMMARIES = ROOT / "tests" / "fixtures" / "plan_summaries"
"""The summaries that `plan` prints of shipped environments, and of the file with a thousand nodes."""
THOUSAND_NODES = ROOT / "benchmarks" / "thousand_nodes.yaml"
ASSET_HASH = re.compile(r"\b[0-9a-f]{64}\b")


def golden_text(template: Mapping[str, Any]) -> str:
    """A template as its golden file holds it. Hashes of assets are masked: they change with every release of CDK."""
    return ASSET_HASH.sub("<hash of the asset>", json.dumps(template, indent=1)) + "\n"


def environments() -> list[str]:
    return sorted(path.stem for folder in FOLDERS for path in folder.glob("*.yaml"))


def environment_file(environment: str) -> Path:
    return next(path for folder in FOLDERS if (path := folder / f"{environment}.yaml").is_file())


def plan_text(file: Path, *options: str) -> str:
    """Returns the output of ``plan`` on 100 columns, with its findings, on a day with support for all versions."""
    output, errors = io.StringIO(), io.StringIO()
    with (
        patch.dict(os.environ, COLUMNS="100"),
        contextlib.chdir(ROOT),
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(errors if "--details" in options else output),
    ):
        status = main_of_command(["plan", str(file.relative_to(ROOT)), *options, "--as-of", PLANNED_ON])
    if status != 0:
        raise SystemExit(output.getvalue() + errors.getvalue())
    return output.getvalue()


def summarized_files() -> list[Path]:
    """The files with a golden summary."""
    return [*sorted(FOLDERS[0].glob("*.yaml")), THOUSAND_NODES]


def write_goldens(environment: str) -> None:
    """Writes the templates of one environment, of one for tests its plan too, and removes those that it has no more."""
    folder = GOLDEN / environment
    with tempfile.TemporaryDirectory() as temporary:
        assembly = Path(temporary) / "assembly"
        synthesize(ROOT, str(environment_file(environment)), assembly)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for path in sorted(assembly.glob(f"*{SUFFIX}")):
            (folder / path.name).write_text(golden_text(json.loads(path.read_text())))
    if environment_file(environment).parent == FOLDERS[1]:
        (folder / PLAN).write_text(plan_text(environment_file(environment), "--details"))


def write_summaries() -> None:
    shutil.rmtree(SUMMARIES, ignore_errors=True)
    SUMMARIES.mkdir()
    for file in summarized_files():
        (SUMMARIES / f"{file.stem}.txt").write_text(plan_text(file))


def main() -> None:
    write_summaries()
    for environment in environments():
        write_goldens(environment)
        sys.stdout.write(f"tests/golden/{environment}\n")


if __name__ == "__main__":
    main()
