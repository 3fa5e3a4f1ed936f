"""Kubernetes objects that the user names: a file, a folder of files, or standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from local_kubernetes.model.manifests import UnreadableManifest, read_manifests
from neuron_cluster.bounded_file import MAX_BYTES_OF_OBJECTS, read_bounded, too_large
from neuron_cluster.errors import ToolkitError

STANDARD_INPUT = "-"
SUFFIXES = (".yaml", ".yml", ".json")
OF_A_CHART = "Chart.yaml"
TO_RENDER = "render the chart first: helm template RELEASE CHART | … -"


def user_manifests(name: str) -> Iterator[tuple[str, tuple[Mapping[str, Any], ...]]]:
    """Each file's name and objects; of a folder, its files at every depth, by name.

    Raises ``ToolkitError`` for what cannot be read or is not a Kubernetes object.
    """
    if not name:
        raise ToolkitError(
            "the file name is empty", hint=f"name a file, a folder, or {STANDARD_INPUT} for standard input"
        )
    for source in [name] if name == STANDARD_INPUT else _files(Path(name)):
        display_name = "standard input" if source == STANDARD_INPUT else source
        try:
            text = _standard_input() if source == STANDARD_INPUT else _text(Path(source))
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise ToolkitError(f"{display_name} cannot be read: {reason}") from error
        try:
            objects = read_manifests(text, display_name)
        except UnreadableManifest as error:
            is_chart = "{{" in text or Path(source).name == OF_A_CHART
            raise ToolkitError(str(error), hint=TO_RENDER if is_chart else "") from error
        yield source, objects


def _text(path: Path) -> str:
    return read_bounded(path, MAX_BYTES_OF_OBJECTS).decode()


def _standard_input() -> str:
    if sys.stdin is None:  # the shell closed it: `<&-`
        raise ToolkitError("standard input cannot be read: it is closed", hint="name a file, or pipe the objects in")
    text = sys.stdin.read(MAX_BYTES_OF_OBJECTS + 1)
    if len(text) > MAX_BYTES_OF_OBJECTS:
        raise ToolkitError(f"standard input cannot be read: {too_large(MAX_BYTES_OF_OBJECTS)}")
    return text


def _files(path: Path) -> list[str]:
    if not path.is_dir():
        return [str(path)]
    found = sorted(str(file) for file in path.rglob("*") if file.suffix in SUFFIXES and file.is_file())
    if not found:
        raise ToolkitError(f"{path} contains no file with the suffix {', '.join(SUFFIXES)}")
    return found
