"""Python code in a fork of this process, as if an interpreter had been started for it."""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
import shutil
import subprocess
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any, NoReturn

STANDARD_ERROR = 2
PROGRAMS = {name: f"local_aws.custom_resources.commands.{name}" for name in ("aws", "kubectl", "helm")}


def run_forked(
    main: Callable[[list[str]], int], arguments: list[str], environment: Mapping[str, str] | None
) -> NoReturn:
    """Ends this process, which has its standard streams, as ``sys.exit(main(arguments))`` ends an interpreter."""
    for inherited in [int(entry.name) for entry in Path("/dev/fd").iterdir()]:
        if inherited > STANDARD_ERROR:
            with contextlib.suppress(OSError):  # the one that the folder was listed with
                os.close(inherited)
    sys.stdin, sys.stdout, sys.stderr = map(_stream, range(STANDARD_ERROR + 1), "rww")
    if environment is not None:
        os.environ.clear()
        os.environ.update(environment)
    status = 1
    try:
        status = main(arguments)
    except BaseException:  # noqa: BLE001 - as an interpreter does
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError):  # its reader is gone
                stream.flush()
        os._exit(status)


def _stream(descriptor: int, mode: str) -> IO[str]:
    return os.fdopen(descriptor, mode, encoding="utf-8", closefd=False)


def fork_programs_of(folder: Path) -> None:
    """From now on ``subprocess`` runs the programs of this folder without starting an interpreter for each."""

    class Program(subprocess.Popen[Any]):
        def __init__(self, arguments: Any, *more: Any, **options: Any) -> None:
            if not more and (main := _main_of(folder, arguments, options)) is not None:
                for stream in (sys.stdout, sys.stderr):
                    stream.flush()  # else both processes would write what it holds
                options["preexec_fn"] = functools.partial(run_forked, main, arguments[1:], options.get("env"))
            super().__init__(arguments, *more, **options)

    vars(subprocess)["Popen"] = Program


def _main_of(folder: Path, arguments: Any, options: Mapping[str, Any]) -> Callable[[list[str]], int] | None:
    """The program that a command runs, when it lies in the folder and nothing but its streams is asked for."""
    if not isinstance(arguments, list) or options.keys() & {"shell", "executable", "preexec_fn", "pass_fds"}:
        return None
    found = shutil.which(arguments[0], path=(options.get("env") or os.environ).get("PATH"))
    if found is None or Path(found).parent != folder:
        return None
    main: Callable[[list[str]], int] = importlib.import_module(PROGRAMS[Path(found).name]).main
    return main
