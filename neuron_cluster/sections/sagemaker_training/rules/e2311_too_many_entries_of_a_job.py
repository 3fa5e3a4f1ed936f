from __future__ import annotations

from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.sagemaker.request import variables_of
from neuron_cluster.schedulers.sagemaker.sagemaker_plan import SageMakerTrainingPlan


class TooManyEntriesOfAJob(Rule):
    """A job has at most 100 hyperparameters and 100 environment variables (`hyperparameters`, `environment`).

    Variables of the toolkit count too.

    Without this check SageMaker rejects each submission with a ValidationException.
    """

    id = "E2311"
    needs = Needs.PLAN
    source = "boto/botocore 1.44.5: sagemaker HyperParameters, TrainingEnvironmentMap"

    def check(self, context: RuleContext) -> Violations:
        training, limits = context.plan.provider(SageMakerTrainingPlan), context.catalog.limits
        for job in training.jobs if training is not None else ():
            own = len(variables_of(job, training)) - len(job.environment) if training is not None else 0
            for key, limit, given, further in (
                ("hyperparameters", limits["training_job_hyperparameters"], len(job.hyperparameters), 0),
                ("environment", limits["training_job_variables"], len(job.environment), own),
            ):
                if limit.maximum is not None and given + further > limit.maximum:
                    of_toolkit = f" and the toolkit {further}" if further else ""
                    yield Violation(
                        (*job.path, key),
                        f"{key} has {given} entries{of_toolkit}, and a job has at most {limit.maximum}",
                        "move some of them into a file that the job reads from a channel",
                    )
