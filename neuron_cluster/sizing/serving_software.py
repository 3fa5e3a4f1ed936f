"""Software that serves a model on a chip, and the last Neuron SDK release with it."""

from __future__ import annotations

import functools

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.framework import Framework
from neuron_cluster.catalog.model_division import ModelDivision
from neuron_cluster.catalog.version import version_key

ENGINES = ("vllm", "vllm_nxd")


class LastRelease(Struct, frozen=True):
    """The newest release with vLLM for a chip, where later releases have none."""

    framework: str
    title: str
    """Title of the framework."""
    sdk: str


@functools.cache
def rules_of_servers(chip: str, catalog: Catalog) -> tuple[ModelDivision, ...]:
    """How each engine that any release has for the chip divides a model."""
    rules = catalog.model_divisions
    return tuple(
        rules[row.name] for row in _engines(catalog) if any(row.runs_on(chip, sdk) for sdk in _releases(catalog))
    )


@functools.cache
def last_release_of_servers(chip: str, catalog: Catalog) -> LastRelease | None:
    """None where the newest release of the catalog has an engine, or no release has."""
    for sdk in reversed(_releases(catalog)):
        found = next((row for row in _engines(catalog) if row.runs_on(chip, sdk)), None)
        if found is not None:
            return None if sdk == _releases(catalog)[-1] else LastRelease(found.name, found.title, sdk)
    return None


def _engines(catalog: Catalog) -> tuple[Framework, ...]:
    return tuple(catalog.frameworks[name] for name in ENGINES)


@functools.cache
def _releases(catalog: Catalog) -> tuple[str, ...]:
    return tuple(sorted(catalog.neuron_sdks.names, key=version_key))
