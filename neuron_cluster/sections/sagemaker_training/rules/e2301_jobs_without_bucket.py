from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.sections.sagemaker_training.jobs_in_file import KEY, jobs_in


class JobsWithoutBucket(Rule):
    """Training jobs have a checkpoint bucket (`sagemaker_training`).

    Checkpoints, output and the launcher of the toolkit are in it.

    Without this check a job would have no place for its checkpoints, and none to resume from.
    """

    id = "E2301"
    source = "https://docs.aws.amazon.com/sagemaker/latest/dg/model-checkpoints.html"
    proposes = ("checkpoint_bucket",)

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        if next(jobs_in(context.environment.config), None) and (storage is None or storage.checkpoint_bucket is None):
            yield Violation(
                (KEY,),
                "sagemaker_training has jobs, and the file has no storage.checkpoint_bucket for checkpoints",
                "add `checkpoint_bucket: {}` to storage",
            )
