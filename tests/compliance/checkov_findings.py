"""Runs checkov, in the environment of ``requirements-checkov.lock``, over a folder of templates; prints what fails.

    python checkov_findings.py FOLDER

A line of JSON for each failed check: file, check, logical id.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from checkov.cloudformation.runner import Runner  # type: ignore[import-not-found]
from checkov.runner_filter import RunnerFilter  # type: ignore[import-not-found]


def main(folder: str) -> None:
    report = Runner().run(root_folder=folder, runner_filter=RunnerFilter(framework=["cloudformation"]))
    if report.parsing_errors:
        sys.exit(f"not read: {report.parsing_errors}")
    for record in report.failed_checks:
        finding = [Path(record.file_path).name, record.check_id, record.resource.rpartition(".")[2]]
        sys.stdout.write(f"{json.dumps(finding)}\n")
    sys.stdout.write(f"{json.dumps({'passed': len(report.passed_checks)})}\n")


if __name__ == "__main__":
    main(sys.argv[1])
