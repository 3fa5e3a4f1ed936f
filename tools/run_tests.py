"""Runs tests in several pytest processes that share the files, and ends with one summary.

    python tools/run_tests.py [-n PROCESSES] [-m MARKS] [-k NAMES] [PATH ...] [-- OPTIONS OF PYTEST]

Each process takes the next file when it is free (``tests/file_queue.py``). No process outlives the run: those that are
left at its end are killed, and the run fails. Exit status as pytest's: 0, 1 for failures, 2 after a signal, 5 without
tests.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.file_queue import COUNTS, FAILED, TAKEN, write_queue
from tests.system_tests import problem_of, system_tests_are_required

ROOT = Path(__file__).parents[1]

TOGETHER = (ROOT / "tests" / "architecture",)
"""Folders whose tests run in one process: each process would parse every source file."""
LONGEST = (ROOT / "tests" / "longest_files.txt").read_text(encoding="utf-8").split()
PLACES = {ROOT / name: place for place, name in enumerate(LONGEST)}
"""Files that take the most processor time start first: one that is begun last leaves the other processes idle."""
SECONDS_TO_END = 3
"""The time for a process whose parent has ended."""
PR_SET_CHILD_SUBREAPER = 36
"""The option of ``prctl`` (Linux) with which orphaned descendants become children of this process."""
OUTCOMES = ("failed", "error", "passed", "skipped", "xfailed", "xpassed")
FAILURES = {"failed", "error", "xpassed"}
NO_TESTS = 5


def units_in(paths: Sequence[str]) -> list[str]:
    """The test files of the paths in the order in which they start; a folder of TOGETHER stands for its files."""
    found = [Path(path).resolve() for path in paths]
    files = [file for path in found for file in (sorted(path.rglob("test_*.py")) if path.is_dir() else [path])]
    units = dict.fromkeys(next((each for each in TOGETHER if each in file.parents), file) for file in files)
    return [str(unit) for unit in sorted(units, key=lambda unit: PLACES.get(unit, len(PLACES)))]


def adopt_orphans() -> None:
    """A process that a test leaves behind becomes a child of this one, where the system has that (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def children() -> dict[int, str]:
    """Command lines of the processes whose parent is this one; empty where there is no /proc."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has just ended
            state, parent = (folder / "stat").read_text("utf-8").rpartition(")")[2].split()[:2]
            if int(parent) == os.getpid() and state != "Z":
                found[int(folder.name)] = (
                    (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                )
    return found


def end_what_is_left() -> list[str]:
    """Kills the processes that have not ended by themselves; returns their command lines."""
    deadline = time.monotonic() + SECONDS_TO_END
    while children() and time.monotonic() < deadline:
        time.sleep(0.1)
    left: list[str] = []
    while found := children():  # their children follow
        left += found.values()
        for process in found:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(process, 0)
    return left


def command(folder: Path, number: int, arguments: Sequence[str]) -> list[str]:
    return [
        *(sys.executable, "-m", "pytest", "-p", "tests.file_queue", f"--file-queue={folder}", "-q"),
        *(f"--basetemp={folder / f'process-{number}'}", "-o", "console_output_style=classic", *arguments),
    ]


@contextlib.contextmanager
def processes(folder: Path, number: int, arguments: Sequence[str]) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Each writes what it says into a file; those that run when the block ends are ended."""
    with contextlib.ExitStack() as stack:
        started = []
        for each in range(number):
            output = stack.enter_context((folder / f"output-{each}.txt").open("wb"))
            process = subprocess.Popen(
                command(folder, each, arguments), cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output, stderr=output
            )
            stack.callback(process.wait)
            stack.callback(process.send_signal, signal.SIGINT)
            started.append(process)
        yield started


def show_progress(folder: Path, running: Sequence[subprocess.Popen[bytes]], units: int) -> None:
    """Until the processes end: each failure at once, and every tenth of the files."""
    shown, tenth = 0, 0
    while any(process.poll() is None for process in running):
        time.sleep(0.2)
        failed = (folder / FAILED).read_text("utf-8").splitlines() if (folder / FAILED).exists() else []
        for line in failed[shown:]:
            print(f"FAILED {line}", flush=True)
        shown = len(failed)
        done = min(int((folder / TAKEN).read_text("utf-8") or 0), units) * 10 // units
        if done > tenth:
            tenth = done
            print(f"{tenth}0 % of {units} files are taken", flush=True)


def counts_of(folder: Path) -> Counter[str]:
    total: Counter[str] = Counter()
    for file in (folder / COUNTS).iterdir():
        total.update(json.loads(file.read_text("utf-8")))
    return total


def show_outputs(folder: Path, running: Sequence[subprocess.Popen[bytes]]) -> None:
    """All that a process said which did not end well: failures with their tracebacks, and errors of pytest."""
    for number, process in enumerate(running):
        if process.returncode not in (0, NO_TESTS):
            text = (folder / f"output-{number}.txt").read_text("utf-8", errors="replace")
            print(f"--- process {number} exited with {process.returncode}\n{text}", flush=True)


def status_of(counts: Counter[str], running: Sequence[subprocess.Popen[bytes]], problems: Sequence[str]) -> int:
    if any(process.returncode not in (0, NO_TESTS) for process in running) or problems:
        return 1
    return 0 if any(counts[each] for each in OUTCOMES) else NO_TESTS


def run(paths: Sequence[str], number: int, options: Sequence[str]) -> int:
    units = units_in(paths)
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="neuron-cluster-tests-") as name:
        folder = Path(name)
        write_queue(folder, units)
        with processes(folder, number, [*options, *paths]) as running:
            show_progress(folder, running, len(units))
        left = end_what_is_left()
        show_outputs(folder, running)
        counts = counts_of(folder)
    for line in left:
        print(f"a process outlived the tests and was killed: {line}")
    said = problem_of(counts["system run"], counts["system skipped"])
    if said:
        print(said)
    status = status_of(counts, running, [*left, *([said] if said and system_tests_are_required() else [])])
    outcomes = ", ".join(f"{counts[each]} {each}" for each in OUTCOMES if counts[each]) or "no tests ran"
    print(f"{outcomes} in {time.monotonic() - start:.2f}s")
    return status


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", "--processes", type=int, default=4, help="default: 4, for two cores")
    parser.add_argument("-m", "--marks", default="", metavar="MARKS", help="an expression of marks, as pytest has it")
    parser.add_argument("-k", "--names", default="", metavar="NAMES", help="an expression of names, as pytest has it")
    parser.add_argument("paths", nargs="*", default=[], metavar="PATH", help="files and folders (default: tests)")
    given = sys.argv[1:]
    own, options = (given[: given.index("--")], given[given.index("--") + 1 :]) if "--" in given else (given, [])
    arguments = parser.parse_args(own)
    paths = arguments.paths or [str(ROOT / "tests")]
    if absent := [path for path in paths if not Path(path).exists()]:
        parser.error(f"{', '.join(absent)}: no such file or folder; for a test by its id use pytest itself")
    adopt_orphans()
    for number in (signal.SIGINT, signal.SIGTERM):  # a shell starts background commands with SIGINT ignored
        signal.signal(number, signal.default_int_handler)
    try:
        return run(paths, arguments.processes, ["-m", arguments.marks, "-k", arguments.names, *options])
    except KeyboardInterrupt:
        end_what_is_left()
        return 2


if __name__ == "__main__":
    sys.exit(main())
