"""Downloads a model or dataset: resumes what a killed pod left, checks every file, and writes manifest.json last.

Standard library only. Arguments: task.json, written by the chart. The token of the Hub is in HF_TOKEN.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from bucket import BucketSource
from hub import Hub
from manifest import File, checked, document
from places import GIB, Folder, Place, Prefix
from problem import NO_ACCESS, NO_INPUT, USAGE, Problem, concluded
from transfer import Patience, Source, fetched, patiently


class Download:
    """One run. ``sleep`` waits before another attempt."""

    def __init__(
        self, spec: Mapping[str, Any], source: Source, place: Place, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._spec, self._source, self._place, self._sleep = spec, source, place, sleep
        self._is_over = threading.Event()

    def run(self) -> str:
        """What was done, in a sentence. Raises ``Problem``."""
        before = self._place.manifest()
        origin = self._origin()
        is_pinned = "revision" in origin  # then the Hub need not be asked
        if before is not None and before["origin"] == origin and is_pinned and not self._place.missing(before):
            return self._complete(before)
        files = [file for file in checked(patiently(self._source.files, self._patience())) if self._is_wanted(file)]
        if not files:
            raise Problem("no file of the source matches download.include and download.exclude", NO_INPUT)
        origin = self._origin()
        if before is not None:
            self._compare(before, origin)
            if not self._place.missing(before) and _is_same(before, files):
                return self._complete(before)
            print(f"{self._place} lacks files of its manifest: downloading them again", flush=True)
            self._place.reopen()
        patiently(lambda: self._place.reserve(files), self._patience())
        found = self._all(files)
        made = document(origin, found)
        patiently(lambda: self._place.finish(made), self._patience())
        return f"{self._place} is complete: {len(files)} files, {made['bytes'] / GIB:.1f} GiB, manifest.json written"

    def _origin(self) -> dict[str, Any]:
        chosen = {key: self._spec[key] for key in ("include", "exclude") if self._spec[key]}
        return {**(self._source.origin or {}), **chosen}

    def _patience(self) -> Patience:
        return Patience(self._spec["attempts"], self._sleep)

    def _is_wanted(self, file: File) -> bool:
        """As the patterns of huggingface_hub: an empty list of what to include is all."""
        include, exclude = self._spec["include"] or ["*"], self._spec["exclude"]
        return any(fnmatch(file.path, each) for each in include) and not any(fnmatch(file.path, e) for e in exclude)

    def _complete(self, before: Mapping[str, Any]) -> str:
        return f"{self._place} is complete since {before.get('completed')}: nothing to do"

    def _compare(self, before: Mapping[str, Any], origin: Mapping[str, Any]) -> None:
        if before["origin"] != origin:
            message = f"{self._place} already has something else: {json.dumps(before['origin'])}"
            advice = f"not {json.dumps(origin)}. Set another output, or delete the folder when nothing reads it"
            raise Problem(f"{message}, {advice}", USAGE)

    def _all(self, files: list[File]) -> dict[File, str]:
        with ThreadPoolExecutor(self._spec["parallelFiles"]) as pool:
            running = {pool.submit(self._one, file): file for file in files}
            done, _ = wait(running, return_when=FIRST_EXCEPTION)
            failed = next((each for each in done if each.exception() is not None), None)
            if failed is not None:
                self._is_over.set()
                pool.shutdown(cancel_futures=True)
                failed.result()
        return {file: future.result() for future, file in running.items()}

    def _one(self, file: File) -> str:
        """SHA-256 of the file, which is in its place then."""
        if (there := self._place.sha256_of(file)) is not None:
            print(f"{file.path}: there already", flush=True)
            return there
        part = self._place.parts / hashlib.sha256(file.path.encode()).hexdigest()
        patience = Patience(self._spec["attempts"], self._wait)
        sha256 = fetched(self._source, file, part, patience)
        patiently(lambda: self._place.keep(file, part, sha256), patience)
        print(f"{file.path}: {file.size / GIB:.2f} GiB, checked", flush=True)
        return sha256

    def _wait(self, seconds: float) -> None:
        """Not for a download that has failed with another file."""
        if not self._is_over.is_set():
            self._sleep(seconds)


def _is_same(before: Mapping[str, Any], files: list[File]) -> bool:
    return {(row["path"], row["size"]) for row in before["files"]} == {(file.path, file.size) for file in files}


def _terminated(*_: object) -> None:
    """Threads that read would hold up the end of the process; all that is on the disk is of use to the next pod."""
    print("stopped; another pod goes on from here", flush=True)
    os._exit(143)


def _token(environment: Mapping[str, str]) -> str | None:
    """Without the line break at the end that ``--from-file`` leaves in a Secret."""
    token = environment.get("HF_TOKEN", "").strip()
    if not token.isascii() or not token.isprintable():
        raise Problem("the Secret of download.tokenSecret holds more than a token: make it anew", NO_ACCESS)
    return token or None


def _place(task: Mapping[str, Any]) -> Place:
    to: str = task["output"]
    if to.startswith("s3://"):
        return Prefix(to, Path(task["scratch"]), task["scratchGib"], task["download"]["parallelFiles"])
    return Folder(Path(to))


def main(path: str) -> int:
    """Exit code 0 when the place is complete; else a line that says what to do, and its code."""
    # The first process of a container ignores SIGTERM unless it says otherwise.
    signal.signal(signal.SIGTERM, _terminated)
    task = json.loads(Path(path).read_text(encoding="utf-8"))

    def run() -> str:
        spec = task["download"]
        source: Source = BucketSource(spec["url"]) if spec["source"] == "s3" else Hub(spec, _token(os.environ))
        return Download(spec, source, _place(task)).run()

    return concluded(task["output"], run)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
