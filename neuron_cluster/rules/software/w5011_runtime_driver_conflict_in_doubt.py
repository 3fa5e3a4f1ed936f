from __future__ import annotations

from neuron_cluster.compatibility.driver_clash import driver_clashes
from neuron_cluster.compatibility.neuron_software import neuron_software_set
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violations
from neuron_cluster.rules.driver_clash import clash_violation


class RuntimeDriverConflictInDoubt(Rule):
    """The Neuron runtime of every container is known to be compatible with its hosts' driver (`neuron.containers`).

    As rule E5010, for pairs that no source certainly marks as incompatible: a known issue that later release notes
    neither repeat nor mark as fixed, or an AMI whose driver version is uncertain. The finding gives the doubt.

    Without this check AWS reports no error. If the pair is incompatible, every job on such a node fails in nrt_init().
    """

    id = "W5011"
    needs = Needs.LOCK
    source = "aws-neuron/aws-neuron-sdk: release-notes/components/runtime.rst; awslabs/amazon-eks-ami: CHANGELOG.md"
    proposes = ("ami_release",)
    references = ("aws-neuron/aws-neuron-sdk#655",)

    def check(self, context: RuleContext) -> Violations:
        group = neuron_software_set(context.environment, context.catalog, context.lock)
        for clash in driver_clashes(group, context.catalog):
            if clash.doubt is not None:
                yield clash_violation(clash, group, context.catalog)
