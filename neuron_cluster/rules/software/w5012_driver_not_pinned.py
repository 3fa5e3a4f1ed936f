from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.compatibility.neuron_software import meets, neuron_software_set
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.driver_clash import ways_out


class DriverNotPinned(Rule):
    """The driver of hosts is pinned where a runtime does not support every newer one (`ami_release`).

    A group without ami_release, in an environment without a lock, uses the newest AMI on the day of its creation, with
    the newest driver. Runtimes that support every newer driver are reported by rule W3011.

    Without this check AWS reports no error. A node group that is created or updated after the next AMI release gets a
    driver that the containers do not support, and every job on it fails in nrt_init().
    """

    id = "W5012"
    needs = Needs.LOCK
    source = "https://github.com/awslabs/amazon-eks-ami (templates/al2023/provisioners/install-neuron-driver.sh)"
    proposes = ("ami_release",)
    references = ("aws-neuron/aws-neuron-sdk#655", "awslabs/amazon-eks-ami#1662")

    def check(self, context: RuleContext) -> Violations:
        catalog = context.catalog
        group = neuron_software_set(context.environment, catalog, context.lock)
        for host in group.hosts:
            for runtime in group.runtimes:
                version = runtime.version
                window = catalog.driver_conflicts.window(version) if version is not None else None
                if not host.is_newest or window is None or window.below is None or not meets(runtime, host, catalog):
                    continue
                yield Violation(
                    host.path,
                    f"ami_release of {host.name} is not pinned, so its driver is the newest on the day of creation"
                    f"{_newest_known(catalog)}, but {runtime.name} has runtime {version}, which works with "
                    f"{window.description}",
                    f"{ways_out(runtime, (host,), group, catalog)}; a lock also pins it, to the newest release on the "
                    "day of the lock",
                )


def _newest_known(catalog: Catalog) -> str:
    """The newest driver of an EKS AMI in the catalog, as part of a sentence."""
    newest = next((release for release in catalog.ami_releases if release.driver is not None), None)
    return f" ({newest.driver} in release {newest.name})" if newest is not None else ""
