"""Reading an environment file and its bases: bytes to model, with everything that is wrong on the way."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from neuron_cluster.config.bases import NO_EDITS, ConfigFile, read_with_bases
from neuron_cluster.config.environment_config import EnvironmentConfig
from neuron_cluster.config.repairs import Repairs
from neuron_cluster.config.source_map import SourceMap
from neuron_cluster.config.validation import validate_tree
from neuron_cluster.config.zone_examples import ZonesOf
from neuron_cluster.findings.finding import Finding


class LoadedEnvironment(Struct, frozen=True):
    """The file as it was read. ``config`` may be there together with errors, so that the rules can report others."""

    config: EnvironmentConfig | None
    findings: tuple[Finding, ...]
    source: SourceMap
    repairs: Repairs = msgspec.field(default_factory=Repairs)
    files: tuple[ConfigFile, ...] = ()
    """The environment file and its bases, in the order in which they extend each other."""
    tree: Any = None
    """Keys and texts of the merged files; None where one of them cannot be used."""

    @property
    def bases(self) -> tuple[ConfigFile, ...]:
        return self.files[1:]


def load_environment(
    path: Path,
    *,
    display_name: str | None = None,
    zones_of: ZonesOf = lambda _: (),
    edited: Mapping[Path, bytes] = NO_EDITS,
) -> LoadedEnvironment:
    """Reads an environment file and the bases that it extends; every mistake is a finding and nothing is raised.

    ``display_name`` is the name that findings give the file (default: the path as given), ``zones_of`` gives the zone
    ids of a Region, for their examples. ``edited`` has the content of files, by resolved path, that is read instead.
    """
    read = read_with_bases(path, display_name or str(path), edited)
    document = read.document
    if document.tree is None:
        return LoadedEnvironment(None, tuple(document.findings), document.source, files=read.files)
    shaped = validate_tree(document.tree, document.source, zones_of)
    for item in document.doubtful:
        shaped.repairs.add(item)
    findings = (*document.findings, *shaped.findings)
    return LoadedEnvironment(shaped.config, findings, document.source, shaped.repairs, read.files, document.tree)
