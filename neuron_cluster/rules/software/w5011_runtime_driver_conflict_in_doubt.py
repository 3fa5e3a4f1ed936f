"""Neuron runtime of a container whose compatibility with the driver is uncertain."""

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
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class RuntimeDriverConflictInDoubt(LockRule):
    """The Neuron runtime of every container is known to be compatible with its hosts' driver (`neuron.containers`).

    As rule E5010, for pairs that no source certainly marks as incompatible: a known issue that later release notes
    neither repeat nor mark as fixed, or an AMI whose driver version is uncertain. The finding gives the doubt.

    Without this check AWS reports no error. If the pair is incompatible, every job on such a node fails in nrt_init().
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
