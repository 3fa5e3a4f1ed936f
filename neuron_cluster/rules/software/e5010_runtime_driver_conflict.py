"""Neuron runtime of a container that is incompatible with the Neuron driver of its nodes."""

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


class RuntimeDriverConflict(LockRule):
    """The Neuron runtime of every container is compatible with the driver of its hosts (`neuron.containers`).

    The runtime is part of the container (without containers: of neuron.sdk); the driver is part of the host's AMI: of
    the pinned AMI release, of the lock, or of the DLAMI. Both directions fail: a driver can be too old for a new
    runtime, and too new for an old one.

    Without this check AWS reports no error. Every job on such a node fails in nrt_init() with "not compatible with
    installed aws-neuronx-dkms".
    """

    id = "E5010"
    source = "aws-neuron/aws-neuron-sdk: release-notes/components/runtime.rst; awslabs/amazon-eks-ami: CHANGELOG.md"
    proposes = ("ami_release",)
    references = ("aws-neuron/aws-neuron-sdk#655", "aws-neuron/aws-neuron-sdk#812")

    def check(self, environment: ResolvedEnvironment, catalog: Catalog, lock: Lock | None) -> Iterator[Violation]:
        group = neuron_software_set(environment, catalog, lock)
        for clash in driver_clashes(group, catalog):
            if clash.doubt is None:
                yield clash_violation(clash, group, catalog)
