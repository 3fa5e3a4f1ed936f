from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.training_plan_place import plan_of_another_place
from neuron_cluster.sections.sagemaker_training.config.capacity import JobTrainingPlan
from neuron_cluster.sections.sagemaker_training.jobs_in_file import jobs_in


class JobTrainingPlanNotUsable(Rule):
    """A job in a training plan has a type that plans have, and the plan is in its account and Region (`capacity`).

    A plan cannot be shared with another account.

    Without this check SageMaker rejects each submission with a ValidationException.
    """

    id = "E2306"
    source = (
        "boto/botocore 1.44.5: sagemaker ReservedCapacityInstanceType, TrainingPlanArn; "
        "https://docs.aws.amazon.com/sagemaker/latest/dg/reserve-capacity-with-training-plans.html"
    )
    proposes = ("capacity",)

    def check(self, context: RuleContext) -> Violations:
        config, catalog = context.environment.config, context.catalog
        for path, job in jobs_in(config):
            if isinstance(job.capacity, JobTrainingPlan):
                yield from _of_type(path, job.instance_type, catalog)
                yield from plan_of_another_place(path, job.capacity.plan_arn, config, catalog)


def _of_type(path: KeyPath, name: str, catalog: Catalog) -> Violations:
    row = catalog.training_job_types.get(name)
    if row is None or row.in_training_plans:  # rule E2303
        return
    sold = [each.name for each in catalog.training_job_types if each.in_training_plans]
    yield Violation(
        (*path, "capacity", "kind"),
        f"kind is training_plan, and training plans have {listed(sold)}, not {name}",
        f"set capacity: {{kind: on_demand}}, or use instance_type {listed(sold, 'or')}",
    )
