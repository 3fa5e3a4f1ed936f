"""Training jobs in `workload list`."""

from __future__ import annotations

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.workload import ListedWorkload, MatchingGroup
from neuron_cluster.schedulers.sagemaker.sagemaker_plan import SageMakerTrainingPlan, TrainingJobPlan


def listed_jobs(plan: ClusterPlan) -> tuple[ListedWorkload, ...]:
    """The jobs of the file, each with its instances; none without the section."""
    training = plan.provider(SageMakerTrainingPlan)
    return tuple(map(_listed, training.jobs)) if training is not None else ()


def _listed(job: TrainingJobPlan) -> ListedWorkload:
    front_ends = (job.front_end,) if job.uses_launcher else ()
    place = MatchingGroup(job.purchase.display_name, job.instance_type, job.instances, front_ends)
    return ListedWorkload(job.name, "training job: a request to SageMaker", (), (place,), ())
