from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.sections.sagemaker_training.config.capacity import ManagedSpot
from neuron_cluster.sections.sagemaker_training.jobs_in_file import jobs_in


class OpenTrainingJobQuestion(Rule):
    """Each behaviour of SageMaker that a job depends on is answered by a source.

    Nothing of this section was run on AWS. Only a warning: the message states what the toolkit assumes.

    Without this check the first submission is where you learn the answer.
    """

    id = "W2315"
    source = "https://docs.aws.amazon.com/sagemaker/latest/dg/model-managed-spot-training.html; the rows of the catalog"

    def check(self, context: RuleContext) -> Violations:
        for path, job in jobs_in(context.environment.config):
            row = context.catalog.training_job_types.get(job.instance_type)
            doubt = row.doubt_about("spot_quota") if row is not None else None
            if row is not None and doubt and isinstance(job.capacity, ManagedSpot):
                yield Violation(
                    (*path, "capacity", "kind"),
                    f"not known yet: {doubt}; assumed: it does",
                    f'to find out: look for the quota "{row.spot_quota}" in Service Quotas, and submit the job',
                )
