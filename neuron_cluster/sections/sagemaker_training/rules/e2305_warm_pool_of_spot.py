from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.sections.sagemaker_training.config.capacity import ManagedSpot
from neuron_cluster.sections.sagemaker_training.jobs_in_file import jobs_in


class WarmPoolOfSpot(Rule):
    """Only jobs without Spot instances keep them for the next job (`keep_alive_minutes`).

    SageMaker has no warm pools of Spot instances.

    Without this check SageMaker rejects each submission with a ValidationException.
    """

    id = "E2305"
    source = "https://docs.aws.amazon.com/sagemaker/latest/dg/train-warm-pools.html"
    proposes = ("keep_alive_minutes", "capacity")

    def check(self, context: RuleContext) -> Violations:
        for path, job in jobs_in(context.environment.config):
            if isinstance(job.capacity, ManagedSpot) and job.keep_alive_minutes:
                yield Violation(
                    (*path, "keep_alive_minutes"),
                    f"keep_alive_minutes is {job.keep_alive_minutes}, and warm pools have no Spot instances",
                    "set keep_alive_minutes: 0, or capacity: {kind: on_demand}",
                )
