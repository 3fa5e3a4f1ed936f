"""Releases of the AWS Neuron SDK and the versions of their parts."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from datetime import date

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.near_names import near_names
from neuron_cluster.catalog.source_data import DATA_DIRECTORY, read_rows
from neuron_cluster.catalog.sourced_row import SourcedRow


@dataclass(frozen=True, slots=True, kw_only=True)
class NeuronSdk(SourcedRow):
    """One release (``name`` is ``2.32.0``). A part is None when no source says its version."""

    released: date | None
    driver: str | None
    runtime: str | None
    collectives: str | None
    tools: str | None
    compiler: str | None


@functools.cache
def neuron_sdks() -> FrozenMap[str, NeuronSdk]:
    """All releases by name, the newest first."""
    return read_rows(DATA_DIRECTORY / "neuron_sdk.yaml", NeuronSdk)


def neuron_sdk(release: str) -> NeuronSdk | None:
    """The release of this name, or None."""
    return neuron_sdks().get(release)


def near_neuron_sdks(release: str) -> list[str]:
    """Known releases that look like ``release``."""
    return near_names(release, neuron_sdks())
