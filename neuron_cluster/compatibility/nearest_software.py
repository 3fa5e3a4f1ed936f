"""The nearest set that works: what to pin instead, where a driver and a runtime are incompatible."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from neuron_cluster.catalog.version import version_key

if TYPE_CHECKING:
    from neuron_cluster.catalog.ami_release import AmiRelease
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.container import Container
    from neuron_cluster.catalog.dlami import Dlami
    from neuron_cluster.catalog.neuron_sdk import NeuronSdk
    from neuron_cluster.resolved.neuron_host import NeuronHost

Candidate = TypeVar("Candidate")


def nearest_that_fits(
    candidates: Sequence[Candidate], present: Candidate | None, fits: Callable[[Candidate], bool]
) -> Candidate | None:
    """The fitting candidate nearest to ``present``, or the first without it; None when none fits."""
    here = candidates.index(present) if present is not None and present in candidates else 0
    fitting = [position for position, each in enumerate(candidates) if fits(each)]
    nearest = min(fitting, key=lambda position: abs(position - here), default=None)
    return candidates[nearest] if nearest is not None else None


def works(sdk: NeuronSdk | None, driver: str | None, catalog: Catalog) -> bool:
    """Whether both versions are known and the catalog has no conflict of them, certain or in doubt."""
    if sdk is None or sdk.runtime is None or driver is None:
        return False
    return not catalog.driver_conflicts.between(sdk.runtime, driver)


def nearest_ami_release(
    host: NeuronHost, sdks: Iterable[NeuronSdk | None], kubernetes_version: str, catalog: Catalog
) -> AmiRelease | None:
    """The release nearest to the host's whose driver supports all the SDK releases and the host's devices, or None."""
    wanted = tuple(sdks)

    def fits(release: AmiRelease) -> bool:
        known = release.driver is not None and release.release_version(kubernetes_version) is not None
        return (
            known and drives(release.driver, host, catalog) and all(works(e, release.driver, catalog) for e in wanted)
        )

    present = catalog.ami_releases.get(host.ami_release) if host.ami_release is not None else None
    return nearest_that_fits(catalog.ami_releases.rows, present, fits)


def drives(driver: str | None, host: NeuronHost, catalog: Catalog) -> bool:
    """Whether the driver supports the host's Neuron devices."""
    chip = catalog.chips.get(host.instance_type.chip or "")
    if chip is None or chip.driver_below is None or driver is None:
        return True
    return version_key(driver) < version_key(chip.driver_below)


def nearest_sdk(sdk: NeuronSdk, hosts: Iterable[NeuronHost], catalog: Catalog) -> NeuronSdk | None:
    """The release nearest to ``sdk`` that supports the Neuron devices of all the hosts and works with their drivers."""
    wanted = tuple(hosts)

    def fits(each: NeuronSdk) -> bool:
        return all(works(each, host.driver, catalog) and _supports(each, host, catalog) for host in wanted)

    return nearest_that_fits(catalog.neuron_sdks.rows, sdk, fits)


def _supports(sdk: NeuronSdk, host: NeuronHost, catalog: Catalog) -> bool:
    """Whether the SDK release supports the host's Neuron devices."""
    chip = catalog.chips.get(host.instance_type.chip or "")
    return chip is None or chip.last_sdk is None or version_key(sdk.name) <= version_key(chip.last_sdk)


def nearest_container(container: Container, hosts: Iterable[NeuronHost], catalog: Catalog) -> Container | None:
    """The image of the same repository, nearest in SDK release, that works on all the hosts."""
    wanted = tuple(hosts)

    def fits(sdk: NeuronSdk) -> bool:
        return _of_sdk(sdk) is not None and all(works(sdk, host.driver, catalog) for host in wanted)

    def _of_sdk(sdk: NeuronSdk) -> Container | None:
        images = (each for each in catalog.containers if each.neuron_sdk == sdk.name)
        return next((each for each in images if _is_same_kind(each)), None)

    def _is_same_kind(each: Container) -> bool:
        same = (each.repository, each.framework) == (container.repository, container.framework)
        return same and all(catalog.container_runs_on(each, host.instance_type) for host in wanted)

    sdk = nearest_that_fits(catalog.neuron_sdks.rows, catalog.neuron_sdks.get(container.neuron_sdk), fits)
    return _of_sdk(sdk) if sdk is not None else None


def nearest_dlami(host: NeuronHost, sdks: Iterable[NeuronSdk | None], catalog: Catalog) -> Dlami | None:
    """Another DLAMI for the instance whose driver works with all the SDK releases.

    A base image does not replace one with frameworks, nor the reverse. DLAMIs without a successor are first.
    """
    wanted = tuple(sdks)
    for dlami in sorted(catalog.dlamis, key=lambda row: row.successor is not None):
        own = catalog.neuron_sdks.get(dlami.neuron_sdk)
        driver = own.driver if own is not None else None
        is_alike = host.dlami is not None and bool(dlami.virtual_environments) == bool(host.dlami.virtual_environments)
        is_another = is_alike and dlami != host.dlami and host.instance_type.family in dlami.families
        if is_another and all(works(sdk, driver, catalog) for sdk in wanted):
            return dlami
    return None
