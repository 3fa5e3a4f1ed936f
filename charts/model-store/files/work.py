"""Runs a tool over a folder of the volume: its result gets its name when it is whole, with a manifest.json.

Standard library only; the tools are the image's. Arguments: task.json, written by the chart.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import manifest
from locks import acquired
from manifest import MANIFEST, File, sha256_of
from places import GIB
from problem import DATA, NO_INPUT, USAGE, Problem, concluded, writing_failed
from transfer import Patience, patiently

POLL_SECONDS = 10.0
READERS = 4
ATTEMPTS = 10


class Work:
    """One run of a tool. ``sleep`` waits for the input."""

    def __init__(self, task: Mapping[str, Any], sleep: Callable[[float], None] = time.sleep) -> None:
        self._task, self._sleep = task, sleep
        self._input, self._output = Path(task["input"]), Path(task["output"])
        self._work = self._output.with_name(f".{self._output.name}.incomplete")
        self._lock_file = self._output.with_name(f".{self._output.name}.lock")

    def run(self) -> str:
        """What was done, in a sentence. Raises ``Problem``."""
        origin = {key: self._task[key] for key in ("job", "command", "input")}
        if self._output.exists():
            return self._judge(origin)
        self._await_input()
        lock = patiently(lambda: acquired(self._lock_file), Patience(ATTEMPTS, self._sleep))
        try:
            # Another pod may have made it meanwhile.
            said = self._judge(origin) if self._output.exists() else self._make(origin)
            self._lock_file.unlink(missing_ok=True)
            return said
        finally:
            os.close(lock)

    def _make(self, origin: Mapping[str, Any]) -> str:
        self._prepare()
        self._call()
        files = self._files()
        if not files:
            raise Problem("the tool wrote nothing: its command must name {output}", USAGE)
        made = manifest.document(origin, files)
        # A volume that is full for a while does not cost hours of work.
        patiently(lambda: self._finish(made), Patience(ATTEMPTS, self._sleep))
        return f"{self._output} is complete: {len(files)} files, {made['bytes'] / GIB:.1f} GiB, {MANIFEST} written"

    def _finish(self, made: Mapping[str, Any]) -> None:
        try:
            manifest.write(self._work, made)
            self._work.rename(self._output)
        except OSError as error:
            raise writing_failed(error, self._output) from error

    def _judge(self, origin: Mapping[str, Any]) -> str:
        path = self._output / MANIFEST
        before = manifest.read(path.read_text(encoding="utf-8")) if path.is_file() else None
        if before is None or before["origin"] != origin:
            what = "has no manifest of this chart" if before is None else f"is from {json.dumps(before['origin'])}"
            raise Problem(f"{self._output} exists and {what}: set another output; nothing is overwritten", USAGE)
        if lost := manifest.missing(self._output, before):
            raise Problem(f"{self._output} lacks {len(lost)} files, such as {lost[0]}: delete it to make it anew", DATA)
        return f"{self._output} is complete since {before['completed']}: nothing to do"

    def _await_input(self) -> None:
        marker = self._input / self._task["marker"] if self._task["marker"] else self._input
        left = self._task["waitMinutes"] * 60.0
        while not marker.exists():
            if left <= 0:
                how = f"run the job that writes {marker} first, or set input.marker to what completes it"
                raise Problem(f"{self._input} is not complete: {how}", NO_INPUT)
            print(f"waiting for {marker}", flush=True)
            self._sleep(POLL_SECONDS)
            left -= POLL_SECONDS

    def _prepare(self) -> None:
        """An empty folder, unless the tool goes on where it was stopped."""
        try:
            if not self._task["keepIncomplete"]:
                shutil.rmtree(self._work, ignore_errors=True)
            self._work.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise writing_failed(error, self._work) from error

    def _call(self) -> None:
        places = {"{input}": str(self._input), "{output}": str(self._work)}
        command = [_filled(argument, places) for argument in self._task["command"]]
        print(" ".join(command), flush=True)
        try:
            tool = subprocess.Popen(command)
        except OSError as error:
            how = "take an image that has it (workload render --front-end), or set command"
            raise Problem(f"{command[0]} does not start ({error.strerror}): {how}", USAGE) from error
        try:
            status = tool.wait()
        finally:
            if tool.poll() is None:
                tool.terminate()
                tool.wait()
        if status != 0:
            raise Problem(f"{command[0]} ended with exit code {status}: its last lines above say why", 1)

    def _files(self) -> dict[File, str]:
        paths = sorted(each for each in self._work.rglob("*") if each.is_file())
        with ThreadPoolExecutor(READERS) as pool:
            digests = list(pool.map(sha256_of, paths))
        return {
            File(path.relative_to(self._work).as_posix(), path.stat().st_size, ""): each
            for path, each in zip(paths, digests, strict=True)
        }


def _filled(argument: str, places: Mapping[str, str]) -> str:
    for name, path in places.items():
        argument = argument.replace(name, path)
    return argument


def main(path: str) -> int:
    """Exit code 0 when the output is complete; else a line that says what to do, and its code."""
    # The first process of a container ignores SIGTERM unless it says otherwise.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    task = json.loads(Path(path).read_text(encoding="utf-8"))
    return concluded(task["output"], lambda: Work(task).run())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
