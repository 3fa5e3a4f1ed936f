from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.sections.sagemaker_training.config.capacity import ManagedSpot
from neuron_cluster.sections.sagemaker_training.jobs_in_file import jobs_in


class MaxWaitBelowMaxRuntime(Rule):
    """A Spot job waits at least as long as it may run (`capacity.max_wait_hours`).

    MaxWaitTimeInSeconds counts waiting and training together.

    Without this check SageMaker rejects each submission with a ValidationException.
    """

    id = "E2304"
    source = (
        "https://docs.aws.amazon.com/sagemaker/latest/dg/model-managed-spot-training.html; "
        "boto/botocore 1.44.5: sagemaker MaxWaitTimeInSeconds"
    )
    proposes = ("max_wait_hours", "max_runtime_hours")

    def check(self, context: RuleContext) -> Violations:
        for path, job in jobs_in(context.environment.config):
            capacity = job.capacity
            if not isinstance(capacity, ManagedSpot):
                continue
            wait, run = capacity.max_wait_hours, job.max_runtime_hours
            if wait < run:
                yield Violation(
                    (*path, "capacity", "max_wait_hours"),
                    f"max_wait_hours is {wait}, less than max_runtime_hours ({run})",
                    f"set max_wait_hours: {run} or more, or max_runtime_hours: {wait}",
                )
