"""Containers and nodes that may not work together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.compatibility.driver_clash import driver_clashes
from neuron_cluster.compatibility.neuron_software import neuron_software_set
from neuron_cluster.rules.base import LockRule, Violation
from neuron_cluster.rules.driver_clash import clash_violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class RuntimeInDoubtWithDriver(LockRule):
    """The Neuron runtime of every container is known to work with the Neuron driver of its hosts.

    As rule E5010, for pairs of which no source says for certain that they fail: a known issue that later release notes
    neither repeat nor lift, or an image whose driver is not certain. The finding says which.

    Without this check AWS reports no error. If the doubt was right, every job on such a node ends in nrt_init().
    """

    id = "W5011"
    source = "aws-neuron/aws-neuron-sdk: release-notes/components/runtime.rst; awslabs/amazon-eks-ami: CHANGELOG.md"
    proposes = ("ami_release",)
    references = ("aws-neuron/aws-neuron-sdk#655",)

    def check(self, environment: ResolvedEnvironment, catalog: Catalog, lock: Lock | None) -> Iterator[Violation]:
        group = neuron_software_set(environment, catalog, lock)
        for clash in driver_clashes(group, catalog):
            if clash.doubt is not None:
                yield clash_violation(clash, group, catalog)
