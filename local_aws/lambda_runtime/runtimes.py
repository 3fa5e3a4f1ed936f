"""Which runtimes run here, and the command that runs one invocation."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from pathlib import Path

from local_aws.lambda_runtime.function import CannotRun, Function

HERE = Path(__file__).parent
PYTHON = re.compile(r"python3\.\d+")
NODE = re.compile(r"nodejs(\d+\.x)?")


def command(function: Function) -> list[str]:
    """The program with its entry script. Raises CannotRun for a runtime that is not on this machine."""
    if PYTHON.fullmatch(function.runtime):
        return [sys.executable, "-I", str(HERE / "python_entry.py")]
    if not NODE.fullmatch(function.runtime):
        runtime = function.runtime or "a container image"
        raise CannotRun(
            f"The function {function.name} has the runtime {runtime}: the local AWS runs functions of Python and "
            "Node.js alone"
        )
    node = shutil.which("node")
    if node is None:
        raise CannotRun(
            f"The function {function.name} has the runtime {function.runtime}, and there is no node in PATH"
        )
    return [node, str(HERE / "node_entry.cjs")]


def environment(function: Function, code: Path, layers: Path, folder: Path) -> dict[str, str]:
    """The variables of an invocation: nothing of the user's but where programs are.

    Source: https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
    """
    programs = _programs(folder)
    found = [str(layers / "bin"), str(programs), "/usr/local/bin", "/usr/bin", "/bin"]
    return {
        "PATH": os.pathsep.join(found),
        "LANG": "en_US.UTF-8",
        "TZ": ":UTC",
        "HOME": str(folder),
        "TMPDIR": str(folder / "tmp"),
        "NODE_PATH": os.pathsep.join([str(layers / "nodejs" / "node_modules"), str(Path.cwd() / "node_modules")]),
        "LAMBDA_TASK_ROOT": str(code),
        "AWS_EXECUTION_ENV": f"AWS_Lambda_{function.runtime}",
        "AWS_LAMBDA_FUNCTION_NAME": function.name,
        "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": str(function.memory),
        "AWS_LAMBDA_LOG_GROUP_NAME": function.log_group,
        **function.variables,
        "_HANDLER": function.handler,
        "LOCAL_AWS_LAYERS": str(layers),
        "LOCAL_AWS_PYTHON": sys.executable,
    }


def _programs(folder: Path) -> Path:
    """A folder with the ``python`` that programs of a layer, such as the AWS CLI, are started with."""
    programs = folder / "bin"
    programs.mkdir()
    for name in ("python", "python3"):
        path = programs / name
        path.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n', encoding="utf-8")
        path.chmod(0o755)
    return programs
