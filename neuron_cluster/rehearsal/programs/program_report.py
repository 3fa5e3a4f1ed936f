"""Lines by which a program of a rehearsal reports what it does; its other lines are its log."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

PREFIX = "@rehearsal "
REPLACED = "Replaced"


def report(reason: str, **details: object) -> None:
    """One line in one call: lines of several processes do not mix."""
    os.write(sys.stdout.fileno(), line(reason, details))


def line(reason: str, details: dict[str, object]) -> bytes:
    return f"{PREFIX}{json.dumps({'reason': reason, **details})}\n".encode()


def report_replacement(name: str = "") -> None:
    """Names this program as one that replaces another."""
    report_in_container(REPLACED, program=name or Path(sys.argv[0]).name)


def report_in_container(reason: str, **details: object) -> None:
    """In the log of the container, wherever the output of this program goes."""
    if log := os.environ.get("REHEARSAL_LOG"):
        descriptor = os.open(log, os.O_WRONLY | os.O_APPEND)
        try:
            os.write(descriptor, line(reason, details))
        finally:
            os.close(descriptor)
