"""Compares the digests of a lock with what registries have, before a deploy pulls charts and images by tag."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence

from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.lock.inputs import ChartInput
from neuron_cluster.lock.model import Lock
from neuron_cluster.registry.registries import Registries


def digest_findings(
    lock: Lock,
    charts: Sequence[ChartInput],
    images: Sequence[str],
    registries: Registries,
    place: Location,
    again: str,
) -> Iterator[Finding]:
    """E9547 for each chart or image with another digest than the lock's, W9545 where a registry does not answer."""
    for what, digest, ask in locked_digests(lock, charts, images, registries):
        try:
            found = ask()
        except ToolkitError as error:
            message = f"the digest of {what} was not compared with the lock: {error.message}"
            yield Finding("W9545", place, message, error.hint)
            continue
        if found != digest:
            message = f"{what} has digest {found}, the lock has {digest}"
            hint = f"find out why it was published again, then run `{again}`, which writes a new lock"
            yield Finding("E9547", place, message, hint)


def locked_digests(
    lock: Lock, charts: Sequence[ChartInput], images: Sequence[str], registries: Registries
) -> Iterator[tuple[str, str, Callable[[], str]]]:
    """Yields the name of each pinned chart and image, the digest of the lock, and the query for the current digest."""
    for chart in charts:
        locked = lock.charts.get(chart.name)
        if locked is not None and locked.digest is not None and locked.version == chart.version:
            ask = functools.partial(registries.chart_digest, chart.repository, chart.name, chart.version)
            yield f"chart {chart.name} {chart.version}", locked.digest, ask
    for image in images:
        digest = lock.images.get(image)
        if digest is not None:
            yield f"image {image}", digest, functools.partial(registries.image_digest, image)
