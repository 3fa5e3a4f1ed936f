from __future__ import annotations

from neuron_cluster.compatibility.driver_clash import driver_clashes
from neuron_cluster.compatibility.neuron_software import neuron_software_set
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violations
from neuron_cluster.rules.driver_clash import clash_violation


class RuntimeDriverConflict(Rule):
    """The Neuron runtime of every container is compatible with the driver of its hosts (`neuron.containers`).

    The runtime is part of the container (without containers: of neuron.sdk); the driver is part of the host's AMI: of
    the pinned AMI release, of the lock, or of the DLAMI. Both directions fail: a driver can be too old for a new
    runtime, and too new for an old one.

    Without this check AWS reports no error. Every job on such a node fails in nrt_init() with "not compatible with
    installed aws-neuronx-dkms".
    """

    id = "E5010"
    needs = Needs.LOCK
    source = "aws-neuron/aws-neuron-sdk: release-notes/components/runtime.rst; awslabs/amazon-eks-ami: CHANGELOG.md"
    proposes = ("ami_release",)
    references = ("aws-neuron/aws-neuron-sdk#655", "aws-neuron/aws-neuron-sdk#812")

    def check(self, context: RuleContext) -> Violations:
        group = neuron_software_set(context.environment, context.catalog, context.lock)
        for clash in driver_clashes(group, context.catalog):
            if clash.doubt is None:
                yield clash_violation(clash, group, context.catalog)
