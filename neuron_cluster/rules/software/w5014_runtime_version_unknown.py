from __future__ import annotations

from neuron_cluster.compatibility.nearest_software import nearest_that_fits
from neuron_cluster.compatibility.neuron_software import meets, neuron_software_set
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations


class RuntimeVersionUnknown(Rule):
    """The runtime version of the Neuron SDK is known, so that it can be compared with the drivers (`neuron.sdk`).

    Only a warning: no source marks them as incompatible, but the check could not run.

    Without this check neither AWS nor this toolkit reports an error, as if they were compatible.
    """

    id = "W5014"
    needs = Needs.LOCK
    source = "aws-neuron/aws-neuron-sdk: release-notes (a release for which no list of packages was found)"

    def check(self, context: RuleContext) -> Violations:
        group = neuron_software_set(context.environment, context.catalog, context.lock)
        for runtime in group.runtimes:
            names = [host.name for host in group.hosts if meets(runtime, host, context.catalog)]
            if runtime.version is not None or not names:
                continue
            reason = f" ({runtime.doubt})" if runtime.doubt else ""
            known = nearest_that_fits(
                context.catalog.neuron_sdks.rows, runtime.sdk, lambda each: each.runtime is not None
            )
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
