"""The files that describe an environment to another tool."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath


class ExportFinding(Struct, frozen=True):
    """A key of the environment file that the other tool rejects, or that its files do not hold."""

    id: str
    path: KeyPath
    message: str
    hint: str


class Export(Struct, frozen=True):
    """``files`` is empty where a finding is an error; a name in it is that of a file in one folder."""

    files: Mapping[str, str]
    findings: tuple[ExportFinding, ...]
