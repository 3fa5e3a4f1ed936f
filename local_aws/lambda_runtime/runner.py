"""Invocations of functions, each in a process group, an environment and a folder of its own."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import tempfile
import threading
import uuid
from pathlib import Path
from typing import Any

from local_aws.lambda_runtime.function import CannotRun, Function, Result
from local_aws.lambda_runtime.runtimes import command, environment
from local_aws.lambda_runtime.unpacked import UnpackedCode

INIT_SECONDS = 10
"""How long a function may take to load, which does not count for its time-out.

Source: https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html"""
KEPT_LOG = 1_000_000
"""Characters of an invocation's log that are kept."""


class FunctionRunner:
    """Runs functions; ``close`` ends those that still run with all their processes."""

    def __init__(self, folder: Path) -> None:
        """``folder`` belongs to this runner alone; who gave it removes it after ``close``."""
        self._folder = folder
        self._unpacked = UnpackedCode(folder / "code")
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._closed = False

    def run(self, function: Function, event: Any, request_id: str | None = None) -> Result:
        """Invokes the function and waits for its end. Raises CannotRun when it cannot be started."""
        program = command(function)
        code = self._unpacked.folder([function.code])
        layers = self._unpacked.folder(function.layers)
        self._folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self._folder, prefix="run-", ignore_cleanup_errors=True) as name:
            folder = Path(name)
            (folder / "tmp").mkdir()
            request = {
                "event": event,
                "requestId": request_id or str(uuid.uuid4()),
                "arn": function.arn,
                "timeout": function.timeout,
            }
            (folder / "request.json").write_text(json.dumps(request), encoding="utf-8")
            variables = environment(function, code, layers, folder)
            ended = self._wait([*program, str(folder)], variables, code, folder, function.timeout)
            return _result(folder, request["requestId"], ended, function.timeout)

    def close(self) -> None:
        """Ends what runs; what is invoked later is refused."""
        with self._lock:
            self._closed = True
            running = list(self._running)
        for process in running:
            _kill(process)

    def _wait(self, program: list[str], variables: dict[str, str], code: Path, folder: Path, timeout: int) -> bool:
        """Whether the process has ended by itself in time."""
        with (folder / "log").open("wb") as log:
            with self._lock:
                if self._closed:
                    raise CannotRun("the local AWS is shutting down")
                process = subprocess.Popen(  # noqa: S603 - the function is the user's own
                    program,
                    env=variables,
                    cwd=code,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )
                self._running.add(process)
            try:
                process.wait(timeout + INIT_SECONDS)
            except subprocess.TimeoutExpired:
                return False
            finally:
                _kill(process)  # what the function has started and left behind goes too
                with self._lock:
                    self._running.discard(process)
        if self._closed:
            raise CannotRun("the local AWS was shut down while the function ran")
        return True


def _result(folder: Path, request_id: str, ended: bool, timeout: int) -> Result:
    log = (folder / "log").read_text(encoding="utf-8", errors="replace")[-KEPT_LOG:]
    answer = folder / "answer.json"
    if ended and answer.exists():
        found = json.loads(answer.read_text(encoding="utf-8"))
        return Result(json.dumps(found["payload"]).encode(), found["failed"], log)
    error = f"Task timed out after {timeout}.00 seconds" if not ended else "Runtime exited without providing a reason"
    failure: dict[str, str] = {"errorMessage": f"RequestId: {request_id} Error: {error}"}
    failure["errorType"] = "Sandbox.Timedout" if not ended else "Runtime.ExitError"
    return Result(json.dumps(failure).encode(), failed=True, log=f"{log}{failure['errorMessage']}\n")


def _kill(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
