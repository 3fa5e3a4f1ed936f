"""Assemblies that were made before, by the digest of what they depend on (``assembly_key``).

They are kept in ``node_modules``, that of the project or that with the CDK command of the user, where only those can
write who can change its code. An asset is kept once, by CDK's name for it, which is a digest of its content. Nothing
here is needed: what cannot be read or written is synthesized.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from neuron_cluster.deploy.assembly import MARKERS
from neuron_cluster.deploy.node import MODULES, cdk_modules
from neuron_cluster.deploy.work_folder import work_folder
from neuron_cluster.errors import ToolkitError

PLACE = Path(".cache", "neuron-cluster", "assemblies")
MAX_CACHED = 60
"""Assemblies; the least recently used is deleted first. One is a megabyte, and its assets are shared."""
ASSET = "asset."
ASSETS = "assets"
SETTLING_SUFFIX = ".new-"


def cached_assembly(project: Path, key: str | None, output: Path) -> bool:
    """Writes the assembly of this key to the empty folder ``output``; False where none is kept, and nothing written."""
    folder = _place(project)
    if folder is None or key is None or not (cached := folder / key).is_dir():
        return False
    is_whole = False
    with contextlib.suppress(OSError):
        os.utime(cached)
        shutil.copytree(cached, output, dirs_exist_ok=True, ignore=shutil.ignore_patterns(ASSETS))
        for name in (cached / ASSETS).read_text(encoding="utf-8").split():
            _copy(folder / ASSETS / name, output / name)
        is_whole = all((output / marker).is_file() for marker in MARKERS)
    if not is_whole:
        _delete(cached)
        for path in output.iterdir():
            _delete(path)
    return is_whole


def store_assembly(project: Path, key: str | None, assembly: Path) -> None:
    """Keeps a copy under this key, whole or not at all. A folder that cannot be written to is ignored."""
    folder = _place(project)
    if folder is None or key is None:
        return
    with contextlib.suppress(OSError, ToolkitError):
        (folder / ASSETS).mkdir(parents=True, exist_ok=True)
        with work_folder(folder, SETTLING_SUFFIX) as beside:
            _keep(folder, key, assembly, beside)
        _forget_the_oldest(folder)


def _keep(folder: Path, key: str, assembly: Path, beside: Path) -> None:
    assets = sorted(path.name for path in assembly.iterdir() if path.name.startswith(ASSET))
    for name in assets:
        if not (folder / ASSETS / name).exists():
            _copy(assembly / name, beside / name)
            with contextlib.suppress(OSError):  # another command was faster
                (beside / name).rename(folder / ASSETS / name)
    new = beside / "assembly"
    shutil.copytree(assembly, new, ignore=shutil.ignore_patterns(f"{ASSET}*", ".cache", "*.lock"))
    (new / ASSETS).write_text("\n".join(assets), encoding="utf-8")
    with contextlib.suppress(OSError):
        new.rename(folder / key)


def _forget_the_oldest(folder: Path) -> None:
    """And assets that no kept assembly names. A command that reads one meanwhile synthesizes."""
    cached = sorted(_cached(folder), key=lambda path: path.stat().st_mtime, reverse=True)
    if len(cached) <= MAX_CACHED:
        return
    for path in cached[MAX_CACHED:]:
        shutil.rmtree(path, ignore_errors=True)
    used = {name for path in cached[:MAX_CACHED] for name in (path / ASSETS).read_text(encoding="utf-8").split()}
    for asset in (folder / ASSETS).iterdir():
        if asset.name not in used:
            _delete(asset)


def _cached(folder: Path) -> Iterator[Path]:
    return (path for path in folder.iterdir() if (path / ASSETS).is_file())


def _place(project: Path) -> Path | None:
    """None where CDK's command is not installed."""
    own = project / MODULES
    modules = own if own.is_dir() else cdk_modules(project)
    return modules / PLACE if modules.is_dir() else None


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target)
    else:
        shutil.copy2(source, target)


def _delete(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
