"""Violations of rules E5010 and W5011: a runtime that is incompatible with the driver of its hosts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from neuron_cluster.compatibility.nearest_software import (
    nearest_ami_release,
    nearest_container,
    nearest_dlami,
    nearest_sdk,
)
from neuron_cluster.compatibility.neuron_software import meets
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.compatibility.driver_clash import DriverClash
    from neuron_cluster.compatibility.neuron_software import NeuronSoftwareSet, WorkloadRuntime
    from neuron_cluster.resolved.neuron_host import NeuronHost

NO_WAY_OUT = "run it on other hosts with a compatible driver: the catalog has no AMI and no runtime that are compatible"


def clash_violation(clash: DriverClash, software: NeuronSoftwareSet, catalog: Catalog) -> Violation:
    """Runtime, driver, the compatible versions, and what to use instead."""
    runtime, host = clash.runtime, clash.hosts[0]
    version = runtime.version or ""
    verb = "may be" if clash.doubt else "is"
    side = "too old" if clash.conflict.driver_from is None else "too new"
    reason = clash.conflict.symptom + (f"; in doubt: {clash.doubt}" if clash.doubt else "")
    window = catalog.driver_conflicts.window(version)
    return Violation(
        runtime.path,
        f"{runtime.name} has runtime {version}, which works with {window.description}; "
        f"driver {host.driver} of {listed(each.name for each in clash.hosts)} ({host.image}) {verb} {side}: {reason}",
        ways_out(runtime, clash.hosts, software, catalog),
    )


def ways_out(
    runtime: WorkloadRuntime, hosts: Sequence[NeuronHost], software: NeuronSoftwareSet, catalog: Catalog
) -> str:
    """The nearest compatible combinations: another AMI for the hosts, or another runtime for the workloads."""
    found = [*_other_image(hosts[0], software, catalog), *_other_runtime(runtime, software, catalog)]
    return ", or ".join(found) or NO_WAY_OUT


def _other_image(host: NeuronHost, software: NeuronSoftwareSet, catalog: Catalog) -> Iterator[str]:
    """An AMI whose driver is compatible with all runtimes on the host."""
    sdks = [each.sdk for each in software.runtimes if meets(each, host, catalog)]
    if host.dlami is not None:
        dlami = nearest_dlami(host, sdks, catalog)
        if dlami is not None:
            yield f"set dlami of {host.name} to {dlami.name} (Neuron SDK {dlami.neuron_sdk})"
    elif host.kubernetes_version is not None:
        release = nearest_ami_release(host, sdks, host.kubernetes_version, catalog)
        if release is not None:
            version = release.release_version(host.kubernetes_version)
            yield f"set ami_release of {host.name} to {version} (driver {release.driver})"


def _other_runtime(runtime: WorkloadRuntime, software: NeuronSoftwareSet, catalog: Catalog) -> Iterator[str]:
    """A runtime that is compatible with the drivers of all its hosts."""
    met = [host for host in software.hosts if host.driver is not None and meets(runtime, host, catalog)]
    if not met:
        return
    if runtime.container is None and runtime.sdk is not None:
        sdk = nearest_sdk(runtime.sdk, met, catalog)
        if sdk is not None:
            yield f"set neuron.sdk to {sdk.name} (runtime {sdk.runtime})"
    if runtime.container is not None:
        container = nearest_container(runtime.container, met, catalog)
        if container is not None:
            yield f"use {container.name} (Neuron SDK {container.neuron_sdk})"
