"""The part of training jobs that deploy and status call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from neuron_cluster.aws.training_jobs import jobs_in_progress
from neuron_cluster.plan.environment_tag import ENVIRONMENT_TAG
from neuron_cluster.protocol.aws_access import AwsAccess
from neuron_cluster.protocol.operations import Operations
from neuron_cluster.protocol.preflight import Part, ProviderCheck
from neuron_cluster.protocol.status import StatusQuery, StatusSection
from neuron_cluster.sections.sagemaker_training import quotas, training_plans
from neuron_cluster.sections.sagemaker_training.build_plan import STACK
from neuron_cluster.sections.sagemaker_training.status import training_status


class SageMakerTrainingOperations(Operations):
    stack_with_jobs = STACK
    preflight_checks = tuple(
        ProviderCheck(part, module.WHAT, module.PERMISSIONS, module.subjects, module.check)
        for part, module in ((Part.QUOTAS, quotas), (Part.CAPACITY, training_plans))
    )

    def status(self, query: StatusQuery) -> Sequence[StatusSection]:
        return training_status(query)

    def unfinished_jobs(self, access: AwsAccess, environment: str) -> Mapping[str, str]:
        return {
            f"training job {job.name} ({job.status})": access.aws_command(
                "sagemaker stop-training-job", training_job_name=job.name
            )
            for job in jobs_in_progress(access.target)
            if job.tags.get(ENVIRONMENT_TAG) == environment
        }
