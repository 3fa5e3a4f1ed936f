"""The inputs of an assembly as one digest: synthesis is pure, so the same inputs give the same bytes.

Inputs are the sources of the toolkit, of providers from outside and of the project, the installed packages (CDK
among them), the environment file and its bases, the locks next to it, the context and the variables that synthesis may
see.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from neuron_cluster.config.bases import read_with_bases
from neuron_cluster.lock.paths import locks_beside
from neuron_cluster.protocol.registry import registered
from neuron_cluster.toolkit_files import CDK_SETTINGS, CHARTS, FUNCTIONS

PACKAGES = tuple(Path(__file__).parents[2] / name for name in ("neuron_cluster", "local_aws", "local_kubernetes"))
"""The toolkit's own, which may be installed elsewhere than the project."""
SOURCES = ("app.py", "cdk.json", "stacks", "functions", "charts")
"""Files and folders of the project: a checkout has all of them, a user's repository ``cdk.json``."""
TOOLKIT_SOURCES = (Path(__file__).parents[2] / "stacks", CDK_SETTINGS, FUNCTIONS, CHARTS)
"""The same ones of the toolkit that runs; in a wheel all but ``stacks`` are inside of ``PACKAGES``."""
NOT_SOURCES = frozenset({"__pycache__", "local_aws"})
"""Compiled modules, and ``local_aws``, which synthesis never imports (tests/architecture)."""
MAX_LOCK_BYTES = 16 * 1024 * 1024


class Source(NamedTuple):
    """A source file: its name from the project on, and the metadata that changes with it."""

    name: str
    path: str
    size: int
    changed_ns: int


def assembly_key(
    project: Path, environment: str, locks: Path | None, context: Mapping[str, Any], variables: Mapping[str, str]
) -> str | None:
    """The digest of everything that decides the assembly; None where an input cannot be read."""
    try:
        inputs = {
            "sources": sources_digest(project),
            "packages": installed_packages(),
            "environment": environment,
            "files": dict(_input_files(project, environment, locks)),
            "context": {key: value for key, value in context.items() if key != "lock"},
            "variables": dict(variables),
        }
    except (OSError, ValueError):
        return None
    return hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()


def sources_digest(project: Path) -> str:
    """Over the content of every source file. Raises ``OSError`` for one that cannot be read."""
    digests = (_content_digest(tuple(_below(path, name))) for path, name in _places(project))
    return hashlib.sha256("".join(digests).encode()).hexdigest()


def installed_packages() -> list[str]:
    """Names and versions of the installed distributions, and Python's own."""
    folders = {sysconfig.get_path(name) for name in ("purelib", "platlib")}
    found = (entry.name for folder in folders for entry in os.scandir(folder) if entry.name.endswith(".dist-info"))
    return [sys.version, *sorted(found)]


def _input_files(project: Path, environment: str, locks: Path | None) -> Iterator[tuple[str, str]]:
    named = Path(environment)  # an absolute path, or the name of an environment of the project
    file = named if named.is_absolute() else project / "environments" / f"{environment}.yaml"
    yield "environment", _digest(file)
    for base in read_with_bases(file, str(file)).files[1:]:
        yield f"base {base.path}", _digest(base.path)
    folder = locks if locks is not None else locks_beside(file)
    for lock in sorted(folder.glob("*.yaml")):
        yield f"lock {lock.name}", _digest(lock)


def _digest(file: Path) -> str:
    if not file.is_file() or file.stat().st_size > MAX_LOCK_BYTES:
        raise ValueError(f"{file} is not a file of at most {MAX_LOCK_BYTES} bytes")
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _places(project: Path) -> Iterator[tuple[Path, str]]:
    """Where sources are, and the name that the digest has for each place."""
    for name in SOURCES:
        yield project / name, name
    for path in TOOLKIT_SOURCES:
        if path.resolve() != (project / path.name).resolve():
            yield path, f"toolkit/{path.name}"
    for package in (*PACKAGES, *_packages_of_providers()):
        yield package, package.name


def _packages_of_providers() -> Iterator[Path]:
    """Folders of the providers that are registered from outside of the toolkit."""
    for provider in registered():
        file = sys.modules[type(provider).__module__].__file__
        if file is not None and not any(Path(file).is_relative_to(package) for package in PACKAGES):
            yield Path(file).parent


def _below(path: Path, name: str) -> Iterator[Source]:
    """In one order everywhere. What is absent is not a source: a project may have no charts."""
    if path.is_file():
        status = path.stat()
        yield Source(name, str(path), status.st_size, status.st_mtime_ns)
    elif path.is_dir():
        yield from _in_folder(str(path), name)


def _in_folder(folder: str, name: str) -> Iterator[Source]:
    with os.scandir(folder) as entries:  # half of the time of pathlib; each deploy does this twice
        found = sorted(entries, key=lambda entry: entry.name)
    for entry in found:
        if entry.name in NOT_SOURCES:
            continue
        if entry.is_dir():
            yield from _in_folder(entry.path, f"{name}/{entry.name}")
        elif entry.is_file():
            status = entry.stat()
            yield Source(f"{name}/{entry.name}", entry.path, status.st_size, status.st_mtime_ns)


@functools.lru_cache(maxsize=64)
def _content_digest(sources: tuple[Source, ...]) -> str:
    """Returns the digest of one place, which the process keeps for all projects while its files do not change."""
    digest = hashlib.sha256()
    for source in sources:
        content = Path(source.path).read_bytes()
        digest.update(f"{source.name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()
