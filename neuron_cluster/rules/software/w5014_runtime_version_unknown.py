"""Neuron SDK releases whose runtime version is unknown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.compatibility.nearest_software import nearest_that_fits
from neuron_cluster.compatibility.neuron_software import meets, neuron_software_set
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import LockRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class RuntimeVersionUnknown(LockRule):
    """The runtime version of the Neuron SDK is known, so that it can be compared with the drivers (`neuron.sdk`).

    Only a warning: no source marks them as incompatible, but the check could not run.

    Without this check neither AWS nor this toolkit reports an error, as if they were compatible.
    """

    id = "W5014"
    source = "aws-neuron/aws-neuron-sdk: release-notes (a release for which no list of packages was found)"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog, lock: Lock | None) -> Iterator[Violation]:
        group = neuron_software_set(environment, catalog, lock)
        for runtime in group.runtimes:
            names = [host.name for host in group.hosts if meets(runtime, host, catalog)]
            if runtime.version is not None or not names:
                continue
            reason = f" ({runtime.doubt})" if runtime.doubt else ""
            known = nearest_that_fits(catalog.neuron_sdks, runtime.sdk, lambda each: each.runtime is not None)
            yield Violation(
                runtime.path,
                f"the runtime version of {runtime.name} is unknown{reason} and cannot be compared with "
                f"the driver of {listed(names)}",
                "test one job on one node first"
                + (
                    f"; the nearest release with a known runtime version is {known.name}"
                    if runtime.sdk is not None and known is not None
                    else ""
                ),
            )
