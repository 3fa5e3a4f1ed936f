"""A process that loads CDK once and synthesizes, with the ``app.py`` of the checkout, for one project after another.

    python warm_synthesis.py SOCKET

Loading CDK is most of a synthesis, and what it loads is the same for each.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import sys
import traceback
from collections.abc import Mapping
from multiprocessing.connection import Connection, Listener
from pathlib import Path
from typing import Any

import aws_cdk as cdk

REAL_APP = "checkout_app.py"
"""A project's copy of the ``app.py`` of the checkout."""


def serve(listener: Listener) -> None:
    """Answers until the process is ended."""
    while True:
        with contextlib.suppress(OSError, EOFError), listener.accept() as asked:  # who asked may have been interrupted
            answer(asked)


def answer(asked: Connection) -> None:
    """Synthesizes once; sends what the app wrote to its standard error, and what it would exit with."""
    project, output, context = asked.recv()
    with contextlib.redirect_stderr(io.StringIO()) as said:
        wrong = run(Path(project), output, context)
    asked.send((said.getvalue(), wrong))


def run(project: Path, output: str, context: Mapping[str, Any]) -> str | int | None:
    spec = importlib.util.spec_from_file_location("app", project / REAL_APP)
    assert spec is not None
    assert spec.loader is not None
    app = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(app)
        wrong: str | None = app.main(cdk.App(outdir=output, context=context, analytics_reporting=False))
    except Exception:  # noqa: BLE001 - a process of its own would end with it; this one has others to answer
        traceback.print_exc()
        return 1
    return wrong


if __name__ == "__main__":
    with Listener(sys.argv[1], "AF_UNIX") as listener:
        sys.stdout.write("listening\n")
        sys.stdout.flush()
        serve(listener)
