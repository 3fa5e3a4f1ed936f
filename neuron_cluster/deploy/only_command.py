"""One command of a checkout at a time changes an environment."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import getpass
import json
import os
import socket
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.disk import unusable_folder
from neuron_cluster.deploy.stack_names import AnyEnvironment
from neuron_cluster.errors import ToolkitError
from neuron_cluster.local_folder import local_folder

FOLDER = "running"


class OtherCommandError(ToolkitError):
    """Another ``deploy`` or ``destroy`` of this checkout changes the environment."""

    finding_id = "E9520"


@contextlib.contextmanager
def only_command(project: Path, plan: AnyEnvironment, destination: Destination, verb: str) -> Iterator[None]:
    """Inside, no other command of this checkout changes the environment there.

    The kernel releases the lock when the process ends, however it does. Raises ``OtherCommandError`` with the process
    that holds it, ``DiskError`` when the lock cannot be written.
    """
    where = destination.local_endpoint.rpartition(":")[2] if destination.is_local else "aws"
    file = local_folder(project) / FOLDER / f"{where}-{destination.account}-{destination.region}-{plan.name}.json"
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        number = _locked(file)
    except OSError as error:
        raise unusable_folder(file.parent, error) from error
    if number is None:
        raise _other_command(plan.name, file)
    try:
        os.truncate(number, 0)
        os.write(number, json.dumps(_this_process(verb)).encode())
        yield
    finally:
        file.unlink(missing_ok=True)  # while it is locked; who waits for this inode looks again
        os.close(number)


def _locked(file: Path) -> int | None:
    """A descriptor of the file that holds its lock; None when another process has it."""
    while True:
        number = os.open(file, os.O_CREAT | os.O_RDWR, 0o644)
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
                os.close(number)
                return None
            return number  # a file system without locks
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(number), file.stat()):
                return number
        os.close(number)  # the one before has just removed it


def _this_process(verb: str) -> dict[str, Any]:
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # no variable names it and the system has no entry for it
        user = str(os.geteuid())
    since = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC"
    return {"command": verb, "pid": os.getpid(), "user": user, "host": socket.gethostname(), "since": since}


def _other_command(name: str, file: Path) -> OtherCommandError:
    hint = "wait until it has ended, or end it with Ctrl-C in its terminal; then run the command again"
    try:
        row = json.loads(file.read_text(encoding="utf-8"))
        by = f"process {row['pid']} of {row['user']} on {row['host']}, since {row['since']}"
        return OtherCommandError(f"`neuron-cluster {row['command']}` of {name} runs already: {by}", hint=hint)
    except (OSError, ValueError, KeyError, TypeError):  # it is just beginning, or ending
        return OtherCommandError(f"another command changes {name} already", hint=hint)
