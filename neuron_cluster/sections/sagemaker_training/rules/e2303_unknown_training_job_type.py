from __future__ import annotations

from neuron_cluster.findings.suggestions import did_you_mean_one_of
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.sections.sagemaker_training.jobs_in_file import jobs_in


class UnknownTrainingJobType(Rule):
    """Training jobs can have the instance type of a job (`instance_type`).

    Of the Neuron types of EC2 the API has four for training jobs; it has no ml.trn2.3xlarge and no Inferentia.

    Without this check SageMaker rejects each submission with a ValidationException about the enum.
    """

    id = "E2303"
    source = "boto/botocore 1.44.5: sagemaker TrainingInstanceType"
    proposes = ("instance_type",)

    def check(self, context: RuleContext) -> Violations:
        known = context.catalog.training_job_types
        for path, job in jobs_in(context.environment.config):
            if job.instance_type not in known:
                near = did_you_mean_one_of(job.instance_type, known.names)
                yield Violation(
                    (*path, "instance_type"),
                    f"instance_type is {job.instance_type}, and training jobs have {listed(known.names)}",
                    f"{near}use instance_type {listed(known.names, 'or')}",
                )
