from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.sections.sagemaker_training.jobs_in_file import jobs_in


class TooManyEntriesOfAJob(Rule):
    """A job has at most 100 hyperparameters and 100 environment variables (`hyperparameters`, `environment`).

    The toolkit sets some of the variables: the names of others and those of the file count together.

    Without this check SageMaker rejects each submission with a ValidationException.
    """

    id = "E2311"
    source = "boto/botocore 1.44.5: sagemaker HyperParameters, TrainingEnvironmentMap"

    def check(self, context: RuleContext) -> Violations:
        limits = context.catalog.limits
        for path, job in jobs_in(context.environment.config):
            for key, limit, given in (
                ("hyperparameters", limits["training_job_hyperparameters"], len(job.hyperparameters)),
                ("environment", limits["training_job_variables"], len(job.environment)),
            ):
                if limit.maximum is not None and given > limit.maximum:
                    yield Violation(
                        (*path, key),
                        f"{key} has {given} entries, and a job has at most {limit.maximum}",
                        "move some of them into a file that the job reads from a channel",
                    )
