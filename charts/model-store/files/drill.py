"""Restores the newest complete checkpoint into an empty folder, and prints what was missing and how long it took.

Standard library only, and the AWS CLI for S3. Arguments: task.json, written by the chart.
"""

from __future__ import annotations

import json
import shutil
import signal
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from bucket import Bucket
from checkpoint_drill import Drill, FolderSource, NoSpace, Source
from checkpoint_manifest import MANIFEST
from problem import DATA, FULL, NO_INPUT, Problem, concluded


class BucketSource:
    """A prefix of a bucket, by the AWS CLI."""

    def __init__(self, url: str) -> None:
        self._bucket = Bucket(url)

    def sizes(self) -> Mapping[str, int]:
        return self._bucket.objects()

    def text(self, path: str) -> str:
        return self._bucket.text(path) or ""

    def fetch(self, path: str, to: Path) -> None:
        self._bucket.download(path, to)


def run(task: Mapping[str, Any], sleep: Callable[[float], None] = time.sleep) -> str:
    """What was restored, in a sentence. Raises ``Problem``. The folder is empty again afterwards."""
    place = task["source"]
    source: Source = BucketSource(place) if place.startswith("s3://") else FolderSource(Path(place))
    into = Path(task["into"])
    shutil.rmtree(into, ignore_errors=True)
    try:
        report = Drill(source=source, into=into, wait_seconds=task["waitSeconds"], sleep=sleep).run()
    except NoSpace as problem:
        how = "raise machine.scratchGib, or name a folder of the claim by drill.folder"
        raise Problem(f"{problem}: {how}", FULL) from problem
    finally:
        shutil.rmtree(into, ignore_errors=True)
    print(json.dumps(report.as_data()), flush=True)
    *faults, last = report.sentences()
    for fault in faults:
        print(fault, flush=True)
    if not report.examined:
        how = "is it the folder of a run (input.path), and has its neuron-training saved?"
        raise Problem(f"there is no {MANIFEST}: {how}", NO_INPUT)
    if not report.passed:
        raise Problem(f"{len(report.faults)} faults; {last}", DATA)
    return last


def main(path: str) -> int:
    """Exit code 0 when the newest checkpoint was restored; else a line that says what to do, and its code."""
    # The first process of a container ignores SIGTERM unless it says otherwise.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    task = json.loads(Path(path).read_text(encoding="utf-8"))
    return concluded(task["source"], lambda: run(task))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
