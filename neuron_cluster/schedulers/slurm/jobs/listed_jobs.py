"""Jobs of Slurm as `workload list` shows them."""

from __future__ import annotations

from collections.abc import Iterable

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.workload import ListedWorkload, MatchingGroup
from neuron_cluster.schedulers.slurm.cluster import SlurmCluster
from neuron_cluster.schedulers.slurm.jobs.job import Job, JobGroup
from neuron_cluster.schedulers.slurm.jobs.known_jobs import JOBS
from neuron_cluster.schedulers.slurm.jobs.placement import job_groups


def listed_jobs(plan: ClusterPlan, slurm: SlurmCluster, catalog: Catalog) -> tuple[ListedWorkload, ...]:
    """Jobs that have a group, before amounts are looked at."""
    found = ((job, tuple(job_groups(job, plan, slurm, catalog))) for job in JOBS)
    return tuple(_listed(job, groups) for job, groups in found if groups)


def _listed(job: Job, groups: Iterable[JobGroup]) -> ListedWorkload:
    locations = tuple(
        MatchingGroup(
            group=each.group.name,
            instance_type=each.group.machine.instance_type,
            max_nodes=each.group.scaling.maximum,
            front_ends=(),
            requires=each.requires,
        )
        for each in groups
        if not each.why_not
    )
    why_not = () if locations else tuple(reason for each in groups for reason in each.why_not)
    return ListedWorkload(job.name, f"job: {job.description}", (), locations, why_not)
