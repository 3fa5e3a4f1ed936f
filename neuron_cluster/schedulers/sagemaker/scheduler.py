"""SageMaker behind the protocol of schedulers: its workloads are the training jobs of the environment file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from neuron_cluster.protocol.scheduler import Scheduler
from neuron_cluster.protocol.schedulers import register_scheduler
from neuron_cluster.schedulers.sagemaker.options import OPTIONS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.findings.finding import Finding
    from neuron_cluster.plan.cluster_plan import ClusterPlan
    from neuron_cluster.plan.team import Team
    from neuron_cluster.protocol.scheduler import Environment
    from neuron_cluster.protocol.submission import ApiJob
    from neuron_cluster.protocol.team_pages import TeamPages
    from neuron_cluster.protocol.workload import ListedWorkload, Placement, Rendered, Workload
    from neuron_cluster.rehearsal.fault_notation import Kind as FaultKind
    from neuron_cluster.rehearsal.rehearsal_plan import PlannedRehearsal, Request


class SageMakerScheduler(Scheduler):
    name = "sagemaker"
    kind = "training job"
    options = OPTIONS
    options_hint = "options of training jobs: " + ", ".join(option.name for option in OPTIONS)
    verbs = frozenset({"list", "render", "rehearse", "submit", "status", "logs", "stop"})

    def workloads(self) -> tuple[Workload, ...]:
        return ()

    def own_workloads(self, plan: ClusterPlan) -> tuple[Workload, ...]:
        """The jobs of the environment file."""
        from neuron_cluster.protocol.workload import Workload
        from neuron_cluster.schedulers.sagemaker.sagemaker_plan import SageMakerTrainingPlan

        training = plan.provider(SageMakerTrainingPlan)
        return tuple(Workload(name=job.name) for job in training.jobs) if training is not None else ()

    def listed(self, plan: ClusterPlan, catalog: Catalog) -> Sequence[ListedWorkload]:
        from neuron_cluster.schedulers.sagemaker.listed import listed_jobs

        del catalog
        return listed_jobs(plan)

    def place(
        self, workload: Workload, environment: Environment, values: Mapping[str, Any]
    ) -> Placement | tuple[Finding, ...]:
        from neuron_cluster.schedulers.sagemaker.workload import place_job

        return place_job(workload, environment.plan, values)

    def render(self, placement: Placement) -> Rendered:
        from neuron_cluster.schedulers.sagemaker.workload import JobPlacement, render_job

        if not isinstance(placement, JobPlacement):
            raise TypeError(f"{placement.workload.name} was not placed by SageMaker")
        return render_job(placement)

    def rehearsal(
        self, environment: Environment, name: str, values: Mapping[str, Any], request: Request
    ) -> PlannedRehearsal:
        from neuron_cluster.schedulers.sagemaker.rehearsal.planned import planned_rehearsal

        return planned_rehearsal(environment, name, values, request)

    def fault_kinds(self) -> Mapping[str, FaultKind]:
        from neuron_cluster.schedulers.sagemaker.rehearsal.job_faults import JOB_FAULTS

        return JOB_FAULTS

    def team_pages(self, plan: ClusterPlan, team: Team, catalog: Catalog) -> TeamPages | None:
        """None for an environment without training jobs, and for a team that only groups name."""
        from neuron_cluster.schedulers.sagemaker.sagemaker_plan import SageMakerTrainingPlan
        from neuron_cluster.schedulers.sagemaker.team_pages import training_pages

        del catalog
        training = plan.provider(SageMakerTrainingPlan)
        if training is None or team.name not in training.owners:
            return None
        return training_pages(plan, training, team)

    def api_job(self, plan: ClusterPlan) -> ApiJob | None:
        from neuron_cluster.schedulers.sagemaker.api_job import TRAINING_JOB
        from neuron_cluster.schedulers.sagemaker.sagemaker_plan import SageMakerTrainingPlan

        return TRAINING_JOB if plan.provider(SageMakerTrainingPlan) is not None else None


SAGEMAKER_SCHEDULER = SageMakerScheduler()
register_scheduler(SAGEMAKER_SCHEDULER)
