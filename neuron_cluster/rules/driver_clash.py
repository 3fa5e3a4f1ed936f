"""A runtime that does not work with the driver of its hosts, and how two rules say it: certain, or in doubt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from neuron_cluster.rules.asked_software import meets, outlives_chip
from neuron_cluster.rules.base import Violation
from neuron_cluster.rules.nearest_software import nearest_ami_release, nearest_container, nearest_dlami, nearest_sdk
from neuron_cluster.rules.wording import listed

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.driver_conflict import DriverConflict
    from neuron_cluster.rules.asked_software import AskedRuntime, AskedSoftware, NeuronHost

NO_WAY_OUT = "run it on other machines, whose driver it works with: this catalog knows no image and no runtime that fit"


class DriverClash(Struct, frozen=True):
    """One runtime, the hosts of one image that it does not work with, and the fact that says so."""

    runtime: AskedRuntime
    hosts: tuple[NeuronHost, ...]
    conflict: DriverConflict

    @property
    def doubt(self) -> str | None:
        """Why it is not certain that they fail; None when it is."""
        of_conflict = next(iter(self.conflict.doubt.values()), None)
        return of_conflict or self.runtime.doubt or self.hosts[0].driver_doubt


def driver_clashes(asked: AskedSoftware, catalog: Catalog) -> Iterator[DriverClash]:
    """Every pair that fails or may fail, by runtime in the order of the file; hosts of one image together."""
    for runtime in asked.runtimes:
        if runtime.version is None:  # rule W5014
            continue
        by_image: dict[tuple[str, str | None], list[NeuronHost]] = {}
        for host in asked.hosts:
            if host.driver is not None and meets(runtime, host, catalog) and not outlives_chip(host, catalog):
                by_image.setdefault((host.image, host.driver_doubt), []).append(host)
        for alike in by_image.values():
            found = catalog.conflicts_between(runtime.version, alike[0].driver or "")
            if found:
                yield DriverClash(runtime, tuple(alike), found[0])


def problem(clash: DriverClash, asked: AskedSoftware, catalog: Catalog) -> Violation:
    """Both ends, the window, and what to take instead."""
    runtime, host = clash.runtime, clash.hosts[0]
    version = runtime.version or ""
    verb = "may be" if clash.doubt else "is"
    side = "too old" if clash.conflict.driver_from is None else "too new"
    reason = clash.conflict.symptom + (f"; in doubt: {clash.doubt}" if clash.doubt else "")
    return Violation(
        runtime.path,
        f"{runtime.name} has runtime {version}, which works with {catalog.driver_window(version).in_words}; "
        f"driver {host.driver} of {listed(each.name for each in clash.hosts)} ({host.image}) {verb} {side}: {reason}",
        ways_out(runtime, clash.hosts, asked, catalog),
    )


def ways_out(runtime: AskedRuntime, hosts: Sequence[NeuronHost], asked: AskedSoftware, catalog: Catalog) -> str:
    """The nearest sets that work: another image for the hosts, or another runtime for the workloads."""
    found = [*_other_image(hosts[0], asked, catalog), *_other_runtime(runtime, asked, catalog)]
    return ", or ".join(found) or NO_WAY_OUT


def _other_image(host: NeuronHost, asked: AskedSoftware, catalog: Catalog) -> Iterator[str]:
    """One whose driver fits everything that meets the host."""
    sdks = [each.sdk for each in asked.runtimes if meets(each, host, catalog)]
    if host.is_workstation:
        dlami = nearest_dlami(host, sdks, catalog)
        if dlami is not None:
            yield f"set dlami of {host.name} to {dlami.name} (Neuron SDK {dlami.neuron_sdk})"
    elif asked.kubernetes_version is not None:
        release = nearest_ami_release(host, sdks, asked.kubernetes_version, catalog)
        if release is not None:
            version = release.release_version(asked.kubernetes_version)
            yield f"set ami_release of {host.name} to {version} (driver {release.driver})"


def _other_runtime(runtime: AskedRuntime, asked: AskedSoftware, catalog: Catalog) -> Iterator[str]:
    """One that fits every host that it meets."""
    met = [host for host in asked.hosts if host.driver is not None and meets(runtime, host, catalog)]
    if not met:
        return
    if runtime.container is None and runtime.sdk is not None:
        sdk = nearest_sdk(runtime.sdk, met, catalog)
        if sdk is not None:
            yield f"set neuron.sdk to {sdk.name} (runtime {sdk.runtime})"
    if runtime.container is not None:
        container = nearest_container(runtime.container, met, catalog)
        if container is not None:
            yield f"take {container.name} (Neuron SDK {container.neuron_sdk})"
