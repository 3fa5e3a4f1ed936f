from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.compatibility.neuron_software import WorkloadRuntime, meets, neuron_software_set
from neuron_cluster.findings.text import listed
from neuron_cluster.resolved.neuron_host import NeuronHost
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.driver_clash import ways_out


class DriverVersionUnknown(Rule):
    """The driver version of the pinned AMI is known, so that it can be compared with the containers (`ami_release`).

    Only a warning: no source marks them as incompatible, but the check could not run.

    Without this check neither AWS nor this toolkit reports an error, as if they were compatible.
    """

    id = "W5013"
    needs = Needs.LOCK
    source = "https://github.com/awslabs/amazon-eks-ami (CHANGELOG.md lists aws-neuronx-dkms of each release)"
    proposes = ("ami_release",)
    references = ("awslabs/amazon-eks-ami#1662",)

    def check(self, context: RuleContext) -> Violations:
        catalog = context.catalog
        group = neuron_software_set(context.environment, catalog, context.lock)
        for host in group.hosts:
            meeting = [each for each in group.runtimes if each.version is not None and meets(each, host, catalog)]
            if host.driver is not None or host.is_newest or not meeting or _is_unknown_kind(host):
                continue
            if not host.has_published_driver:  # rule W2218
                continue
            yield Violation(
                host.path,
                f"the driver version of {host.name} with {host.image} is unknown and cannot be compared with "
                f"{listed(_described(each, catalog) for each in meeting)}",
                f"look up aws-neuronx-dkms in the release notes of the AMI; or use a known combination: "
                f"{ways_out(meeting[0], (host,), group, catalog)}",
            )


def _is_unknown_kind(host: NeuronHost) -> bool:
    """Whether its kind of DLAMI is not in the catalog: rule E7001."""
    return host.path[-1] == "dlami" and host.dlami is None


def _described(runtime: WorkloadRuntime, catalog: Catalog) -> str:
    version = runtime.version or ""
    return f"{runtime.name} (runtime {version}: {catalog.driver_conflicts.window(version).description})"
