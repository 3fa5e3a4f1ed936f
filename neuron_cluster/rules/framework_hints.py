"""Text of the rules about frameworks: the host, and what to change so that it supports the framework."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from neuron_cluster.catalog.version import version_key
from neuron_cluster.compatibility.nearest_software import nearest_that_fits
from neuron_cluster.compatibility.neuron_software import container_releases
from neuron_cluster.findings.text import listed

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.compatibility.framework_use import FrameworkUse
    from neuron_cluster.config.environment_config import EnvironmentConfig
    from neuron_cluster.resolved.neuron_host import NeuronHost


def describe_machine(use: FrameworkUse, catalog: Catalog) -> str:
    """``trn1 (trn1.32xlarge, AWS Trainium) with Neuron SDK 2.32.0``."""
    chip = catalog.chips.get(use.chip)
    title = chip.title if chip is not None else use.chip
    of_image = f" of dlami {use.host.dlami.name}" if use.is_of_image and use.host.dlami is not None else ""
    return f"{use.host.name} ({use.host.instance_type.name}, {title}) with Neuron SDK {use.sdk}{of_image}"


def describe_releases(releases: Iterable[str], host: NeuronHost, config: EnvironmentConfig, catalog: Catalog) -> str:
    """Who decides on releases of ``releases_of``: ``its DLAMI base_ubuntu_24_04 has Neuron SDK 2.32.0``."""
    sdks = f"Neuron SDK {listed(dict.fromkeys(releases))}"
    if container_releases(host, config, catalog):
        return f"containers of the file have {sdks}"
    if host.sdk is not None and host.dlami is not None:
        return f"its DLAMI {host.dlami.name} has {sdks}"
    return f"the file sets {sdks} for it"


def nearest_sets(use: FrameworkUse, catalog: Catalog) -> str:
    """Returns the hint: another SDK release, instance type or framework, with the nearest of each."""
    sdk = nearest_that_fits(
        catalog.neuron_sdks.rows,
        catalog.neuron_sdks.get(use.sdk),
        lambda each: use.framework.runs_on(use.chip, each.name),
    )
    families = dict.fromkeys(
        row.family
        for row in catalog.instance_types
        if row.launchable and row.chip is not None and use.framework.runs_on(row.chip, use.sdk)
    )
    other = _other_framework(use, catalog)
    found = [
        *_other_release(use, sdk.name if sdk is not None else None, catalog),
        *([f"use instance types of {listed(families, 'or')}"] if families else []),
        *([f"use {other} on {use.host.name}"] if other is not None else []),
        *_predecessor(use, catalog),
    ]
    return ", or ".join(found) if found else "use another framework: `neuron-cluster catalog frameworks` lists them"


def _other_release(use: FrameworkUse, sdk: str | None, catalog: Catalog) -> Iterator[str]:
    """Where a DLAMI determines the release, another kind of DLAMI; else ``neuron.sdk``."""
    dlami = use.host.dlami
    if dlami is None or not dlami.virtual_environments:
        if sdk is not None:
            yield f"use Neuron SDK {sdk} on {use.host.name}"
        return
    kinds = [
        row.name
        for row in catalog.dlamis
        if use.framework.runs_on(use.chip, row.neuron_sdk)
        and use.host.instance_type.family in row.families
        and (row.name in use.framework.virtual_environments or not row.virtual_environments)
    ]
    if kinds:
        yield f"set dlami of {use.host.name} to {listed(kinds, 'or')}"


def _predecessor(use: FrameworkUse, catalog: Catalog) -> Iterator[str]:
    """Predecessors of this framework, with the last release that supports one of them on the host."""
    last: dict[str, list[str]] = {}
    for row in catalog.frameworks:
        if row.successor == use.framework.name and not row.runs_on(use.chip, use.sdk):
            releases = [sdk.name for sdk in catalog.neuron_sdks if row.runs_on(use.chip, sdk.name)]
            if releases:
                last.setdefault(max(releases, key=version_key), []).append(row.name)
    if last:
        newest = max(last, key=version_key)
        yield f"use {listed(last[newest], 'or')} with Neuron SDK {newest}, the last release for this Neuron chip"


def _other_framework(use: FrameworkUse, catalog: Catalog) -> str | None:
    """The successor if the host supports it, else another framework for the same purpose."""
    successor = use.framework.successor_on(use.chip, use.sdk)
    same = [row.name for row in catalog.frameworks if set(row.purposes) & set(use.framework.purposes)]
    for name in ([successor] if successor else []) + same:
        row = catalog.frameworks.get(name)
        if row is not None and row != use.framework and row.runs_on(use.chip, use.sdk):
            return name
    return None
