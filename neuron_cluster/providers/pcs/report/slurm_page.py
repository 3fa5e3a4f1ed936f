"""The PCS cluster in the plan: controller, queues, and what its groups are in Slurm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.report.marks import Marks
from neuron_cluster.table import Table

if TYPE_CHECKING:
    from neuron_cluster.providers.pcs.plan.slurm_plan import SlurmPlan


def slurm_tables(slurm: SlurmPlan, marks: Marks) -> list[Table]:
    users = [_users(slurm)] if slurm.login.start.users else []
    return [_cluster(slurm, marks), _queues(slurm, marks), _groups(slurm), *users]


def _cluster(slurm: SlurmPlan, marks: Marks) -> Table:
    maximum = sum(group.max for group in slurm.compute_groups)
    size = f"{slurm.size}: {maximum} of {slurm.size_nodes} instances at most"
    rows = [
        ("Slurm", slurm.version),
        ("size", size + marks.mark((*slurm.path, "size"))),
        ("accounting", ("on" if slurm.has_accounting else "off") + marks.mark((*slurm.path, "accounting"))),
        ("idle nodes end after", f"{slurm.idle_seconds // 60} minutes" + marks.mark((*slurm.path, "idle_minutes"))),
        ("controller in", slurm.zone_id),
        ("logs", ", ".join(slurm.log_types)),
        *(("nodes mount", folder) for folder in slurm.login.start.node.mounts),
        *(
            (f"setting {name}", value + marks.mark((*slurm.path, "settings", name)))
            for name, value in slurm.settings.items()
        ),
        *((f"cgroup setting {name}", value) for name, value in slurm.cgroup_settings.items()),
    ]
    return Table(f"Slurm cluster {slurm.name}", ("what", "value"), tuple(rows))


def _queues(slurm: SlurmPlan, marks: Marks) -> Table:
    rows = tuple(
        (
            queue.name + (" (default)" if queue.is_default else ""),
            ", ".join(queue.groups),
            ("yes" if queue.has_whole_nodes else "no") + marks.mark((*queue.path, "whole_nodes")),
            ", ".join(f"{name}={value}" for name, value in queue.settings.items()),
        )
        for queue in slurm.queues
    )
    return Table("Queues", ("queue", "groups", "whole nodes", "settings"), rows)


def _groups(slurm: SlurmPlan) -> Table:
    rows = tuple(
        (
            group.name,
            group.physical_name,
            group.gres.record["File"] if group.gres is not None else "-",
            ", ".join(f"{name}={value}" for name, value in group.settings.items()) or "-",
        )
        for group in slurm.compute_groups
    )
    return Table("Compute node groups in Slurm", ("group", "name in PCS", "device files", "settings"), rows)


def _users(slurm: SlurmPlan) -> Table:
    rows = tuple((user.name, str(user.uid), user.home) for user in slurm.login.start.users)
    return Table("Users of Slurm nodes, one for each team", ("user", "user and group id", "home"), rows)
