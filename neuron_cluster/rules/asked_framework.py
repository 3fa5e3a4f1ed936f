"""Frameworks that the file asks for, on each of its Neuron machines, with the SDK release that it is to run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from neuron_cluster.catalog.version import version_key
from neuron_cluster.rules.asked_software import known_containers, neuron_hosts
from neuron_cluster.rules.nearest_software import nearest_that_fits
from neuron_cluster.rules.wording import listed

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.framework import Framework, FrameworkSupport
    from neuron_cluster.config.environment import EnvironmentConfig
    from neuron_cluster.config.source_map import KeyPath
    from neuron_cluster.rules.asked_software import NeuronHost


class FrameworkUse(Struct, frozen=True):
    """One framework on one machine. ``support`` is None where it never ran; ``ships`` says whether the SDK has it."""

    framework: Framework
    host: NeuronHost
    chip: str
    sdk: str
    support: FrameworkSupport | None
    ships: bool

    @property
    def is_impossible(self) -> bool:
        """Whether there is nothing to run: it never ran there, or it is retired and left out of the release."""
        return self.support is None or (self.is_retired and not self.ships)

    @property
    def is_retired(self) -> bool:
        return self.support is not None and self.support.state == "retired"

    @property
    def is_refused_by_system(self) -> bool:
        """Whether it cannot be installed on the operating system of a workstation. Nodes run it in containers."""
        if self.support is None or self.host.dlami is None:
            return False
        return self.host.dlami.operating_system in self.support.excluded_operating_systems

    @property
    def is_missing_in_image(self) -> bool:
        """Whether the DLAMI of a workstation has virtual environments, and none with it."""
        dlami = self.host.dlami
        if dlami is None or not dlami.virtual_environments:
            return False
        return dlami.name not in self.framework.virtual_environments

    @property
    def is_at_home(self) -> bool:
        """Whether nothing that the catalog knows is in its way."""
        return not (self.is_impossible or self.is_refused_by_system or self.is_missing_in_image)


class AskedFramework(Struct, frozen=True):
    """One framework of the list that the catalog knows, with its uses, in the order of the machines."""

    path: KeyPath
    framework: Framework
    uses: tuple[FrameworkUse, ...]


def asked_frameworks(config: EnvironmentConfig, catalog: Catalog) -> Iterator[AskedFramework]:
    """In the order of the file."""
    hosts = tuple(neuron_hosts(config, catalog, None))
    for position, name in enumerate(config.neuron.frameworks):
        framework = catalog.framework(name)
        if framework is not None:
            uses = tuple(use for host in hosts for use in _uses(framework, host, config, catalog))
            yield AskedFramework(("neuron", "frameworks", position), framework, uses)


def _uses(
    framework: Framework, host: NeuronHost, config: EnvironmentConfig, catalog: Catalog
) -> Iterator[FrameworkUse]:
    chip = host.instance_type.chip or ""
    for release in _releases(framework, host, config, catalog):
        sdk = catalog.neuron_sdk(release)
        ships = sdk is None or framework.sdk_part not in sdk.absent
        yield FrameworkUse(framework, host, chip, release, framework.support_on(chip, release), ships)


def _releases(framework: Framework, host: NeuronHost, config: EnvironmentConfig, catalog: Catalog) -> tuple[str, ...]:
    """Of the containers with the framework; else of the DLAMI, where it brings frameworks; else ``neuron.sdk``."""
    images = (container for _, container in known_containers(config, catalog))
    brought = [
        image.neuron_sdk
        for image in images
        if image.framework == framework.name and catalog.container_runs_on(image, host.instance_type)
    ]
    if brought:
        return tuple(dict.fromkeys(brought))
    if host.dlami is not None and host.dlami.virtual_environments:
        return (host.dlami.neuron_sdk,)
    return (config.neuron.sdk,)


def machine_in_words(use: FrameworkUse, catalog: Catalog) -> str:
    """``trn1 (trn1.32xlarge, AWS Trainium) with Neuron SDK 2.32.0``."""
    chip = catalog.chip(use.chip)
    title = chip.title if chip is not None else use.chip
    return f"{use.host.name} ({use.host.instance_type.name}, {title}) with Neuron SDK {use.sdk}"


def nearest_sets(use: FrameworkUse, catalog: Catalog) -> str:
    """What to change so that it runs: the release, the machine or the framework, the first that there is of each."""
    sdk = nearest_that_fits(
        catalog.neuron_sdks, catalog.neuron_sdk(use.sdk), lambda each: use.framework.runs_on(use.chip, each.name)
    )
    families = dict.fromkeys(
        row.family
        for row in catalog.instance_types
        if row.launchable and row.chip is not None and use.framework.runs_on(row.chip, use.sdk)
    )
    other = _other_framework(use, catalog)
    found = [
        *_other_release(use, sdk.name if sdk is not None else None, catalog),
        *([f"take machines of {listed(families, 'or')}"] if families else []),
        *([f"take {other} on {use.host.name}"] if other is not None else []),
        *_predecessor(use, catalog),
    ]
    return ", or ".join(found) if found else "take another framework: `neuron-cluster catalog frameworks` says which"


def _other_release(use: FrameworkUse, sdk: str | None, catalog: Catalog) -> Iterator[str]:
    """Where a DLAMI decides the release, another kind of it; else ``neuron.sdk``."""
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
    """Frameworks whose place this one took, with the last release that has one of them on the machine."""
    last: dict[str, list[str]] = {}
    for row in catalog.frameworks:
        if row.successor == use.framework.name and not row.runs_on(use.chip, use.sdk):
            releases = [sdk.name for sdk in catalog.neuron_sdks if row.runs_on(use.chip, sdk.name)]
            if releases:
                last.setdefault(max(releases, key=version_key), []).append(row.name)
    if last:
        newest = max(last, key=version_key)
        yield f"take {listed(last[newest], 'or')} with Neuron SDK {newest}, the last release for this chip"


def _other_framework(use: FrameworkUse, catalog: Catalog) -> str | None:
    """The successor if it runs on the machine, else another one for the same purpose."""
    successor = use.framework.successor_on(use.chip, use.sdk)
    same = [row.name for row in catalog.frameworks if set(row.purposes) & set(use.framework.purposes)]
    for name in ([successor] if successor else []) + same:
        row = catalog.framework(name)
        if row is not None and row != use.framework and row.runs_on(use.chip, use.sdk):
            return name
    return None
