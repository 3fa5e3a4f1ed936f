"""SDK releases whose parts the catalog does not know."""

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
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class RuntimeNotKnown(LockRule):
    """The runtime of the Neuron SDK is known, so that it can be compared with the drivers.

    Only a warning: nothing says that they do not fit. It is here because a check that could not run must say so.

    Without this check AWS reports no error, and neither would this toolkit: silence would look like "they fit".
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
                f"no source says which runtime {runtime.name} has{reason}, so nothing compares it with "
                f"the driver of {listed(names)}",
                "try one job on one node first"
                + (
                    f"; the nearest release whose parts are known is {known.name}"
                    if runtime.sdk is not None and known is not None
                    else ""
                ),
            )
