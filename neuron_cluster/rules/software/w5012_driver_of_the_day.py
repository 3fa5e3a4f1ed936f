"""Nodes whose driver nobody chose."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.compatibility.neuron_software import meets, neuron_software_set
from neuron_cluster.rules.base import LockRule, Violation
from neuron_cluster.rules.driver_clash import ways_out

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class DriverOfTheDay(LockRule):
    """Where a runtime does not work with every newer driver, the driver of its hosts is pinned.

    A group without ami_release, in an environment without a lock, gets the newest image on the day of its creation,
    and with it the newest driver. Runtimes without an upper end of their window are left to rule W3011.

    Without this check AWS reports no error. A node group that is made, or updated, after the next AMI release gets a
    driver that the containers do not work with, and every job on it ends in nrt_init().
    """

    id = "W5012"
    source = "https://github.com/awslabs/amazon-eks-ami (templates/al2023/provisioners/install-neuron-driver.sh)"
    proposes = ("ami_release",)
    references = ("aws-neuron/aws-neuron-sdk#655", "awslabs/amazon-eks-ami#1662")

    def check(self, environment: ResolvedEnvironment, catalog: Catalog, lock: Lock | None) -> Iterator[Violation]:
        group = neuron_software_set(environment, catalog, lock)
        for host in group.hosts:
            for runtime in group.runtimes:
                version = runtime.version
                window = catalog.driver_window(version) if version is not None else None
                if not host.is_newest or window is None or window.below is None or not meets(runtime, host, catalog):
                    continue
                yield Violation(
                    host.path,
                    f"{host.name} pins no ami_release, so its driver is the newest on the day of creation"
                    f"{_newest_known(catalog)}, but {runtime.name} has runtime {version}, which works with "
                    f"{window.in_words}",
                    f"{ways_out(runtime, (host,), group, catalog)}; a lock pins it too, to what is newest on its day",
                )


def _newest_known(catalog: Catalog) -> str:
    """The newest driver of an EKS AMI that the catalog knows, to be read in the middle of a sentence."""
    newest = next((release for release in catalog.ami_releases if release.driver is not None), None)
    return f" ({newest.driver} in release {newest.name})" if newest is not None else ""
