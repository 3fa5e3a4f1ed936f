from __future__ import annotations

from neuron_cluster.providers.hyperpod.groups import slurm_groups
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class NeuronTypeWithoutJobs(Rule):
    """Controller and login instances have no Neuron devices (`hyperpod.slurm`).

    Slurm starts no job on them.

    Without this check AWS reports no error, and Neuron devices are paid for that no job can use.
    """

    id = "E2254"
    source = "https://docs.aws.amazon.com/sagemaker/latest/dg/smcluster-getting-started-slurm-cli.html"
    proposes = ("instance_type",)

    def check(self, context: RuleContext) -> Violations:
        for group in slurm_groups(context.environment):
            if group.is_neuron and not group.runs_jobs:
                yield Violation(
                    (*group.path, "instance_type"),
                    f"{group.name} has {group.spec.instance_type}, whose Neuron devices no job can use",
                    "set instance_type: ml.m7i.2xlarge, or another type without Neuron devices",
                )
