"""Kubernetes objects that the user names: a file, a folder of files, or standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from neuron_cluster.errors import ToolkitError
from neuron_cluster.kube.rendered_objects import UnreadableManifest, rendered_objects

STANDARD_INPUT = "-"
SUFFIXES = (".yaml", ".yml", ".json")
TO_RENDER = "a chart is rendered first: helm template RELEASE CHART | … -"


def given_objects(name: str) -> Iterator[tuple[str, tuple[Mapping[str, Any], ...]]]:
    """Each file's name and objects; of a folder, its files at every depth, by name.

    Raises ``ToolkitError`` for what cannot be read or is no Kubernetes object.
    """
    for source in [name] if name == STANDARD_INPUT else _files(Path(name)):
        try:
            text = sys.stdin.read() if source == STANDARD_INPUT else Path(source).read_text(encoding="utf-8")
            yield source, rendered_objects(text)
        except (OSError, UnicodeDecodeError) as error:
            raise ToolkitError(f"{source} cannot be read: {error}") from error
        except UnreadableManifest as error:
            raise UnreadableManifest(f"{source}: {error.message}", hint=TO_RENDER) from error


def _files(path: Path) -> list[str]:
    if not path.is_dir():
        return [str(path)]
    found = sorted(str(file) for file in path.rglob("*") if file.suffix in SUFFIXES and file.is_file())
    if not found:
        raise ToolkitError(f"{path} holds no file that ends in {', '.join(SUFFIXES)}")
    return found
