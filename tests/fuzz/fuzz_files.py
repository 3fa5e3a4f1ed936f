"""Judges broken environment files: `python tests/fuzz/fuzz_files.py --seed 1 --cases 1000`.

Each must give findings that a person can act on: no traceback, no control character, within bounded time and memory.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import traceback
from pathlib import Path
from random import Random

from file_cases import file_case, shipped
from limits import bounded, finish

from neuron_cluster.findings.finding import has_error
from neuron_cluster.pipeline import Checked, check_environment
from neuron_cluster.report.findings_text import findings_text


def flaw(checked: Checked, content: bytes) -> str | None:
    """What is wrong with the answer; None when nothing is."""
    lines = len(re.split(rb"\r\n|[\r\n]|\xc2\x85|\xe2\x80[\xa8\xa9]", content))
    incomplete = [f for f in checked.findings if not (f.message and f.hint and 0 <= f.location.line <= lines)]
    if incomplete:
        return f"finding without message, hint or place: {incomplete[0]}"
    if (checked.plan is None) != has_error(checked.findings):
        return "a plan beside an error, or neither"
    text = findings_text(checked.findings)
    if odd := next((c for c in text if not c.isprintable() and c != "\n"), None):
        return f"the control character {odd!r} in a message"
    return None


def judge(path: Path, content: bytes) -> str | None:
    path.write_bytes(content)
    try:
        with bounded():
            return flaw(check_environment(path, display_name="e.yaml"), content)
    except Exception:  # noqa: BLE001 - whatever it raises is the failure
        return traceback.format_exc(limit=-3)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=1000)
    options = parser.parse_args()
    files, failures = shipped(), []
    with tempfile.TemporaryDirectory() as folder:
        for case in range(options.cases):
            content = file_case(Random(f"{options.seed}-{case}"), files)  # noqa: S311 - to be repeated
            if found := judge(Path(folder) / "e.yaml", content):
                failures.append(f"case {options.seed}-{case}: {found}")
    return finish(options.cases, failures)


if __name__ == "__main__":
    sys.exit(main())
