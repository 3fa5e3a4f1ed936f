"""One Lambda event in a process of its own, which sees nothing of the user's environment."""

from __future__ import annotations

import json
import shlex
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from msgspec import Struct

from local_aws.custom_resources.command_log import LOG_VARIABLE, CommandUnknown, RanCommand, read_log
from local_aws.custom_resources.event import CustomResourceFailed
from local_aws.custom_resources.forked import PROGRAMS
from local_aws.environment import sdk_variables

TIMEOUT_SECONDS = 120
"""No command of an event waits for anything here; this only ends one that hangs."""
PUBLIC_ECR = "oci://public.ecr.aws"
PACKAGE_ROOT = Path(__file__).parents[2]


class EventContext(Struct, frozen=True):
    """The input of an event process from the local AWS: endpoint, account, Region, facts and helm."""

    endpoint: str
    account: str
    region: str
    facts: Mapping[str, Any]
    """Facts for the answers of commands: ``cluster`` (as DescribeCluster gives it, or None) and ``objects``."""
    helm: Path | None
    """The real helm, when a chart's folder will be at hand."""


class Outcome(Struct, frozen=True):
    """The result of the function, and the commands that it ran."""

    answer: Mapping[str, Any]
    commands: tuple[RanCommand, ...]


class _Server:
    """``event_server`` as a process of this one; it ends when the control socket is closed."""

    def __init__(self) -> None:
        self.control, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(  # noqa: S603 - this interpreter
                _python("event_server", str(theirs.fileno())),
                env={"LANG": "C.UTF-8"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # an interrupt from the terminal is not for it
            )


class EventProcesses:
    """Runs events, each in its own process group and folder; ``close`` ends those that still run."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._programs = folder / "programs"
        self._server: _Server | None = None
        self._lock = threading.Lock()
        self._closed = False
        self._programs.mkdir(parents=True)
        for program in PROGRAMS:
            _write_program(self._programs / program)

    def run(self, code_folder: Path, event: Mapping[str, Any], context: EventContext) -> Outcome:
        """Runs ``index.handler`` of the code on the event.

        Raises ``CustomResourceFailed`` with the failed command's own words, or else the function's last line.
        """
        # A killed process may still be writing here: what cannot be removed goes with the folder around it.
        with tempfile.TemporaryDirectory(dir=self._folder, prefix="event-", ignore_cleanup_errors=True) as name:
            folder = Path(name)
            for child in ("home", "tmp", "out"):
                (folder / child).mkdir()
            (folder / "event.json").write_text(json.dumps(event), encoding="utf-8")
            (folder / "facts.json").write_text(json.dumps(context.facts, default=str), encoding="utf-8")
            request = {
                "arguments": [str(code_folder), str(folder)],
                "working_folder": str(folder / "out"),
                "environment": self._environment(folder, context),
                "uses_sdk": _uses_sdk(event),
            }
            status = self._wait_for(folder, request)
            commands = read_log(folder / "commands.jsonl")
            if status != 0 or any(command.status == CommandUnknown.status for command in commands):
                raise CustomResourceFailed(_reason(folder, commands, status))
            return Outcome(json.loads((folder / "answer.json").read_text(encoding="utf-8")) or {}, commands)

    def close(self) -> None:
        """Ends every running event with all its processes; later events are refused."""
        with self._lock:
            self._closed = True
        self.end_server()

    def end_server(self) -> None:
        """Ends the process that events are forked from, and every event that runs; the next event starts another."""
        with self._lock:
            server, self._server = self._server, None
        if server is not None:
            server.control.close()
            server.process.wait()

    def _wait_for(self, folder: Path, request: Mapping[str, Any]) -> int:
        ours, theirs = socket.socketpair()
        with ours:
            ours.sendall(json.dumps(request).encode() + b"\n")
            with theirs, (folder / "function.log").open("wb") as log:
                self._start(theirs, log)
            ours.settimeout(TIMEOUT_SECONDS)
            try:
                status = ours.recv(16)
            except TimeoutError:
                ours.settimeout(None)
                ours.shutdown(socket.SHUT_WR)  # ends the event with all its processes
                ours.recv(16)
                raise CustomResourceFailed(f"the function did not finish within {TIMEOUT_SECONDS} seconds") from None
        if self._closed or not status:
            raise CustomResourceFailed("the local AWS was shut down while the function ran")
        return int(status)

    def _start(self, connection: socket.socket, log: IO[bytes]) -> None:
        """Has an event forked. The first one starts the server: many a local AWS runs none."""
        with self._lock:
            if self._closed:
                raise CustomResourceFailed("the local AWS is shutting down")
            if self._server is None:
                self._server = _Server()
            socket.send_fds(self._server.control, [b"+"], [connection.fileno(), log.fileno()])

    def _environment(self, folder: Path, context: EventContext) -> dict[str, str]:
        environment = {
            "PATH": str(self._programs),
            "HOME": str(folder / "home"),
            "TMPDIR": str(folder / "tmp"),
            "LANG": "C.UTF-8",
            "TEST_OUTDIR": str(folder / "out"),  # CDK's own switch for what is /tmp in the Lambda
            **sdk_variables(context.endpoint, context.account, context.region),
            LOG_VARIABLE: str(folder / "commands.jsonl"),
        }
        if context.helm is not None:
            environment["NEURON_CLUSTER_HELM"] = str(context.helm)
        return environment


def _uses_sdk(event: Mapping[str, Any]) -> bool:
    """Whether CDK's function asks boto3 where public ECR is. The server then loads it once for all such events."""
    repository = str(event.get("ResourceProperties", {}).get("Repository"))
    return event.get("RequestType") in ("Create", "Update") and repository.startswith(PUBLIC_ECR)


def _python(module: str, *arguments: str) -> list[str]:
    """This interpreter, isolated from the user's variables and folders, with a module of this package."""
    start = (
        f"import sys; sys.path.append({str(PACKAGE_ROOT)!r}); "
        f"from local_aws.custom_resources.{module} import main; sys.exit(main(sys.argv[1:]))"
    )
    return [sys.executable, "-I", "-c", start, *arguments]


def _write_program(path: Path) -> None:
    path.write_text(f'#!/bin/sh\nexec {shlex.join(_python(f"commands.{path.name}"))} "$@"\n', encoding="utf-8")
    path.chmod(0o755)


def _reason(folder: Path, commands: tuple[RanCommand, ...], status: int) -> str:
    unknown = [command for command in commands if command.status == CommandUnknown.status]
    for failed in unknown or [command for command in commands[-1:] if command.complaint]:
        return f"{shlex.join(failed.line[:3])}: {failed.complaint}"
    lines = (folder / "function.log").read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return lines[-1] if lines else f"the function ended with status {status} and said nothing"
