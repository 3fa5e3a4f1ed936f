"""Slurm behind the protocol of schedulers: its jobs are scripts that a login node submits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from neuron_cluster.protocol.scheduler import Scheduler
from neuron_cluster.protocol.schedulers import register_scheduler
from neuron_cluster.schedulers.slurm.options import OPTIONS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.findings.finding import Finding
    from neuron_cluster.plan.cluster_plan import ClusterPlan
    from neuron_cluster.plan.team import Team
    from neuron_cluster.protocol.scheduler import Environment
    from neuron_cluster.protocol.team_pages import TeamPages
    from neuron_cluster.protocol.workload import ListedWorkload, Placement, Rendered, Workload
    from neuron_cluster.rehearsal.fault_notation import Kind as FaultKind
    from neuron_cluster.rehearsal.rehearsal_plan import PlannedRehearsal, Request


class SlurmScheduler(Scheduler):
    name = "slurm"
    kind = "job"
    options = OPTIONS
    options_hint = "options of jobs: " + ", ".join(option.name for option in OPTIONS)
    verbs = frozenset({"render", "rehearse", "submit"})
    rule_package = "neuron_cluster.schedulers.slurm.rules"

    def workloads(self) -> tuple[Workload, ...]:
        from neuron_cluster.protocol.workload import Workload
        from neuron_cluster.schedulers.slurm.jobs.known_jobs import JOBS

        return tuple(
            Workload(
                name=job.name,
                fills_compile_cache=job.fills_compile_cache,
                needed_options=f"--run {job.arguments}" if job.needs_arguments else "",
            )
            for job in JOBS
        )

    def listed(self, plan: ClusterPlan, catalog: Catalog) -> Sequence[ListedWorkload]:
        """None in an environment without Slurm."""
        from neuron_cluster.schedulers.slurm.cluster import slurm_of
        from neuron_cluster.schedulers.slurm.jobs.listed_jobs import listed_jobs

        slurm = slurm_of(plan)
        return listed_jobs(plan, slurm, catalog) if slurm is not None else ()

    def place(
        self, workload: Workload, environment: Environment, values: Mapping[str, Any]
    ) -> Placement | tuple[Finding, ...]:
        from neuron_cluster.schedulers.slurm.jobs.workload import place_workload

        return place_workload(workload, environment.plan, values, environment.catalog)

    def render(self, placement: Placement) -> Rendered:
        from neuron_cluster.schedulers.slurm.jobs.workload import SlurmPlacement, render_workload

        if not isinstance(placement, SlurmPlacement):
            raise TypeError(f"{placement.workload.name} was not placed by Slurm")
        return render_workload(placement)

    def rehearsal(
        self, environment: Environment, name: str, values: Mapping[str, Any], request: Request
    ) -> PlannedRehearsal:
        from neuron_cluster.schedulers.slurm.rehearsal.planned import planned_rehearsal

        return planned_rehearsal(environment, name, values, request)

    def fault_kinds(self) -> Mapping[str, FaultKind]:
        from neuron_cluster.schedulers.slurm.rehearsal.job_faults import JOB_FAULTS

        return JOB_FAULTS

    def team_pages(self, plan: ClusterPlan, team: Team, catalog: Catalog) -> TeamPages | None:
        """None without a Slurm cluster."""
        from neuron_cluster.schedulers.slurm.cluster import slurm_of
        from neuron_cluster.schedulers.slurm.team_pages.pages import slurm_pages

        slurm = slurm_of(plan)
        return slurm_pages(plan, slurm, team, catalog) if slurm is not None else None


SLURM_SCHEDULER = SlurmScheduler()
register_scheduler(SLURM_SCHEDULER)
