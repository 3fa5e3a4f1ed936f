"""Software that serves a model on a chip, and the last Neuron SDK release with it."""

from __future__ import annotations

import functools

from msgspec import Struct

from neuron_cluster.catalog.framework import Framework, frameworks
from neuron_cluster.catalog.model_division import ModelDivision, model_divisions
from neuron_cluster.catalog.neuron_sdk import neuron_sdks
from neuron_cluster.catalog.version import version_key

ENGINES = ("vllm", "vllm_nxd")


class LastRelease(Struct, frozen=True):
    """The newest release with vLLM for a chip, where later releases have none."""

    framework: str
    title: str
    """Title of the framework."""
    sdk: str


@functools.cache
def rules_of_servers(chip: str) -> tuple[ModelDivision, ...]:
    """How each engine that any release has for the chip divides a model."""
    rules = model_divisions()
    return tuple(rules[row.name] for row in _engines() if any(row.runs_on(chip, sdk) for sdk in _releases()))


@functools.cache
def last_release_of_servers(chip: str) -> LastRelease | None:
    """None where the newest release of the catalog has an engine, or no release has."""
    for sdk in reversed(_releases()):
        found = next((row for row in _engines() if row.runs_on(chip, sdk)), None)
        if found is not None:
            return None if sdk == _releases()[-1] else LastRelease(found.name, found.title, sdk)
    return None


def _engines() -> tuple[Framework, ...]:
    return tuple(frameworks()[name] for name in ENGINES)


@functools.cache
def _releases() -> tuple[str, ...]:
    return tuple(sorted(neuron_sdks(), key=version_key))
