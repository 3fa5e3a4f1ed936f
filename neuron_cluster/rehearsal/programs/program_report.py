"""Lines by which a program of a rehearsal reports what it does; its other lines are its log."""

from __future__ import annotations

import json
import os
import sys

PREFIX = "@rehearsal "


def report(reason: str, **details: object) -> None:
    """One line in one call: lines of several processes do not mix."""
    os.write(sys.stdout.fileno(), f"{PREFIX}{json.dumps({'reason': reason, **details})}\n".encode())
