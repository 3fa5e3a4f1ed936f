"""The HyperPod cluster in the plan: recovery, provisioning, and what its groups are in SageMaker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.findings.text import listed
from neuron_cluster.providers.hyperpod.report.task_governance_page import governance_tables
from neuron_cluster.report.marks import Marks
from neuron_cluster.table import Table

if TYPE_CHECKING:
    from neuron_cluster.providers.hyperpod.plan.hyperpod_plan import (
        HyperPodGroupPlan,
        HyperPodOnEksPlan,
        HyperPodPlan,
        InstanceGroupPlan,
    )
    from neuron_cluster.providers.hyperpod.plan.slurm_plan import HyperPodSlurmPlan

MINUTE = 60


def on_eks(plan: HyperPodOnEksPlan, marks: Marks) -> tuple[Table, ...]:
    resumed = "PyTorchJobs" if any(group.resumes_jobs for group in plan.groups) else "none"
    rows = (("job auto-resume", resumed + marks.mark((*plan.path, "job_auto_resume"))),)
    governance = plan.task_governance
    tables = (_cluster(plan, marks, rows), _groups_on_eks(plan, marks))
    return tables if governance is None else (*tables, *governance_tables(governance, marks))


def on_slurm(plan: HyperPodSlurmPlan, marks: Marks) -> tuple[Table, ...]:
    rows = (("Slurm version", f"{plan.version}, of HyperPod's AMI"),)
    return (_cluster(plan, marks, rows), _groups_on_slurm(plan))


def _cluster(plan: HyperPodPlan, marks: Marks, further: tuple[tuple[str, str], ...]) -> Table:
    rows = (
        ("orchestrator", plan.orchestrator),
        ("node recovery", ("automatic" if plan.has_recovery else "none") + marks.mark((*plan.path, "node_recovery"))),
        (
            "provisioning",
            ("continuous" if plan.is_continuous else "all or none") + marks.mark((*plan.path, "continuous")),
        ),
        *further,
        ("first subnet in", plan.zone_id),
    )
    return Table(f"HyperPod cluster {plan.name}", ("what", "value"), rows)


def _groups_on_eks(plan: HyperPodOnEksPlan, marks: Marks) -> Table:
    rows = tuple(
        (
            group.name,
            group.physical_name,
            ", ".join(group.deep_health_checks) or f"none{marks.mark((*group.path, 'deep_health_checks'))}",
            (group.image.release or "newest") + marks.mark((*group.path, "ami_release")),
            _extra_volume(group),
            _updates(group),
        )
        for group in plan.groups
    )
    columns = ("group", "name in SageMaker", "deep health checks", "AMI release", "extra volume", "scheduled updates")
    return Table("Instance groups of HyperPod", columns, rows)


def _groups_on_slurm(plan: HyperPodSlurmPlan) -> Table:
    rows = tuple(
        (
            group.name,
            group.physical_name,
            group.node_type,
            group.queue or "-",
            group.gres.requested if group.gres is not None else "-",
            _extra_volume(group),
        )
        for group in plan.instance_groups
    )
    columns = ("group", "name in SageMaker", "Slurm node", "partition", "Gres of a node", "extra volume")
    return Table("Instance groups of HyperPod", columns, rows)


def _extra_volume(group: InstanceGroupPlan) -> str:
    return f"{group.extra_volume_gib} GiB" if group.extra_volume_gib is not None else "-"


def _updates(group: HyperPodGroupPlan) -> str:
    updates = group.software_updates
    if updates is None:
        return "none"
    batches = f"{updates.batch_percent} percent at once, {updates.wait_seconds // MINUTE} minutes apart"
    rollback = f", taken back by {listed(updates.rollback_alarms)}" if updates.rollback_alarms else ""
    return f"{updates.schedule}, {batches}{rollback}"
