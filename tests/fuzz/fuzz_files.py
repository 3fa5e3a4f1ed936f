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

from neuron_cluster.config.bases import FileWithBases, read_with_bases
from neuron_cluster.config.document import read_document
from neuron_cluster.config.environment_config import EXTENDS
from neuron_cluster.config.expansion import expanded_text
from neuron_cluster.config.scalars import typed
from neuron_cluster.findings.finding import has_error
from neuron_cluster.pipeline import Checked, check_environment
from neuron_cluster.report.findings_text import findings_text

FILE, BASE = "e.yaml", "base.yaml"
LINE_BREAK = re.compile(rb"\r\n|[\r\n]|\xc2\x85|\xe2\x80[\xa8\xa9]")


def flaw(checked: Checked, contents: dict[str, bytes]) -> str | None:
    """Returns the fault of the answer; None when there is none. ``contents`` are those of the files, by name."""
    lines = {name: len(LINE_BREAK.split(content)) for name, content in contents.items()}
    incomplete = [
        f
        for f in checked.findings
        if not (f.message and f.hint and 0 <= f.location.line <= lines.get(f.location.file, 0))
    ]
    if incomplete:
        return f"finding without message, hint or place: {incomplete[0]}"
    if (checked.plan is None) != has_error(checked.findings):
        return "a plan beside an error, or neither"
    text = findings_text(checked.findings)
    if odd := next((c for c in text if not c.isprintable() and c != "\n"), None):
        return f"the control character {odd!r} in a message"
    return None


def expansion_flaw(read: FileWithBases) -> str | None:
    """Whether the expansion of a file without findings is another file."""
    tree = read.document.tree
    if read.document.findings or not isinstance(tree, dict):
        return None
    again = read_document(expanded_text(read), "again.yaml")
    expected = {key: value for key, value in tree.items() if key != EXTENDS} or None
    if again.tree != expected or typed(again.tree) != typed(expected):
        return f"the expansion is another file: {[f.message for f in again.findings]}"
    return None


def judge(folder: Path, contents: dict[str, bytes]) -> str | None:
    """Returns the fault of the first file, which may extend the second."""
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    path = folder / FILE
    try:
        with bounded():
            found = flaw(check_environment(path, display_name=FILE), contents)
            return found or expansion_flaw(read_with_bases(path, FILE))
    except Exception:  # noqa: BLE001 - whatever it raises is the failure
        return traceback.format_exc(limit=-3)


def contents_of(random: Random, files: list[bytes]) -> dict[str, bytes]:
    """A file, every third time with a base."""
    content = file_case(random, files)
    if random.random() < 1 / 3:
        return {FILE: f"{EXTENDS}: {BASE}\n".encode() + content, BASE: file_case(random, files)}
    return {FILE: content}


def failures_of(seed: int, cases: int) -> list[str]:
    """Returns what is wrong with each answer, after the number of its case."""
    files, failures = shipped(), []
    with tempfile.TemporaryDirectory() as folder:
        for case in range(cases):
            contents = contents_of(Random(f"{seed}-{case}"), files)  # noqa: S311 - to be repeated
            if found := judge(Path(folder), contents):
                failures.append(f"case {seed}-{case}: {found}")
    return failures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=1000)
    options = parser.parse_args()
    return finish(options.cases, failures_of(options.seed, options.cases))


if __name__ == "__main__":
    sys.exit(main())
