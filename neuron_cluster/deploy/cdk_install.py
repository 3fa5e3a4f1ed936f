"""Installs the pinned CDK command for the user: what `make setup` does in a checkout."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from neuron_cluster.deploy.child_process import child_process
from neuron_cluster.deploy.disk import disk_failure, unusable_folder
from neuron_cluster.deploy.node import CDK, MODULES, SCRIPT, cdk_folder, cdk_version, node_binary, npm_script
from neuron_cluster.deploy.work_folder import work_folder
from neuron_cluster.errors import ToolkitError
from neuron_cluster.toolkit_files import NPM_FILES

PROGRAMS = "bin"
"""The folder with ``cdk`` and ``node``, for PATH."""
QUICK_TO_FAIL = ("--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-timeout=60000")
"""Without them npm tries for minutes before it reports that there is no network. Milliseconds."""
SHOWN_LINES = 4
"""At most so many lines of npm's own report are shown."""
_OF_NPM = re.compile(r"^npm (?:error|ERR!)\s*(?P<text>.+)$", re.MULTILINE)


class CdkInstall(Struct, frozen=True):
    """The installed CDK command."""

    version: str
    folder: Path
    is_new: bool
    """Whether this run has installed it; else it was there."""

    @property
    def programs(self) -> Path:
        """The folder with ``cdk`` and ``node``, for PATH."""
        return self.folder / PROGRAMS


def install_cdk(report: Callable[[str], None]) -> CdkInstall:
    """Installs the CDK command with npm from the lockfile of the toolkit, completely or not at all.

    One that is installed is left as it is. ``report`` gets a line before npm starts. Raises ``ToolkitError`` when npm
    fails or the folder cannot be written.
    """
    folder, version = cdk_folder(), cdk_version()
    is_new = not _is_installed(folder)
    if is_new:
        _make(folder.parent)
        with work_folder(folder.parent, f".{folder.name}-") as beside:
            new = beside / "new"
            new.mkdir()
            report(f"npm installs {CDK} {version} in {folder} (30 MB)")
            _run_npm(new)
            _put(new, folder, beside / "replaced")
    _link_programs(folder)
    return CdkInstall(version, folder, is_new)


def _is_installed(folder: Path) -> bool:
    return (folder / MODULES / SCRIPT).is_file()


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unusable_folder(folder, error, "name another folder for user data in XDG_DATA_HOME") from error


def _run_npm(folder: Path) -> None:
    """``npm ci``, which compares each package with the digest in the lockfile."""
    for file in NPM_FILES:
        shutil.copy(file, folder)
    command: list[str | Path] = [
        node_binary(),
        npm_script(),
        "ci",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--no-update-notifier",
        *QUICK_TO_FAIL,
    ]
    path = os.pathsep.join([str(node_binary().parent), os.environ.get("PATH", os.defpath)])
    with (folder / "npm.log").open("w+b") as log:
        with child_process(command, cwd=folder, environment={**os.environ, "PATH": path}, log=log) as npm:
            status = npm.wait()
        log.seek(0)
        written = log.read().decode(errors="replace")
    (folder / "npm.log").unlink()
    if status != 0 or not _is_installed(folder):
        raise disk_failure(written, [folder]) or _failure(written)


def _failure(written: str) -> ToolkitError:
    lines = [match["text"] for match in _OF_NPM.finditer(written)] or written.strip().splitlines()
    shown = "\n".join(lines[:SHOWN_LINES])
    hint = (
        "npm reads its registry and proxy from ~/.npmrc and variables such as NPM_CONFIG_REGISTRY and HTTPS_PROXY; "
        f"on a machine without a network, copy {cdk_folder()} from one on which `neuron-cluster setup` has run"
    )
    return ToolkitError(f"npm has not installed the CDK command; nothing was changed\n{shown}".rstrip(), hint=hint)


def _put(new: Path, folder: Path, replaced: Path) -> None:
    """Gives the new folder its name, unless another command was faster."""
    new.chmod(0o755)
    try:
        if folder.exists() and not _is_installed(folder):  # its command was deleted
            folder.rename(replaced)
        new.rename(folder)
    except OSError as error:
        if not _is_installed(folder):
            raise unusable_folder(folder.parent, error) from error


def _link_programs(folder: Path) -> None:
    """Links ``cdk`` and ``node`` of this Python install, also where the folder was copied from another machine."""
    wanted = {"cdk": Path(os.pardir, MODULES, SCRIPT), "node": node_binary()}
    programs = folder / PROGRAMS
    try:
        programs.mkdir(exist_ok=True)
        for name, target in wanted.items():
            link = programs / name
            if not (link.is_symlink() and link.readlink() == target):
                link.unlink(missing_ok=True)
                link.symlink_to(target)
    except OSError as error:
        raise unusable_folder(programs, error) from error
