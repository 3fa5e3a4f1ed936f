"""The findings about what an account has for training jobs, before a deploy."""

from __future__ import annotations

from neuron_cluster.findings.spec import FindingSpec, specs_of_table

BEFORE = {
    "W9561": (
        "The quotas of SageMaker allow the instances of each job (`sagemaker_training.jobs[].count`).",
        "A submission beyond a quota fails with ResourceLimitExceeded. The quotas are often 0 in a new account.",
    ),
    "W9562": (
        "Service Quotas lists the quota of each job (`sagemaker_training.jobs[].instance_type`).",
        "The preflight finds a quota by its name, since no source has its code: a type without one was not checked.",
    ),
    "E9599": (
        "A training plan of the file exists, and fits its jobs (`sagemaker_training.jobs[].capacity.plan_arn`).",
        "SageMaker rejects a job in a plan of another target or type, and one that has more instances than the plan.",
    ),
}


def finding_specs() -> tuple[FindingSpec, ...]:
    return specs_of_table("9: edits and deploys", "the account and what is deployed", BEFORE)
