"""Workstations one under the other: a row for each thing that is decided about one."""

from __future__ import annotations

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.workstation_plan import WorkstationPlan
from neuron_cluster.report.marks import LOCK_MARK, Marks
from neuron_cluster.report.price import EnvironmentPrice, GroupPrice, dollars
from neuron_cluster.report.purchase_option import describe_purchase_option
from neuron_cluster.table import Table

NOTE = "No public address, no inbound rule: access is only through Session Manager (docs/workstations.md)."
LUSTRE_NOTE = (
    "No public address, no inbound rule but those for the servers of Lustre: access is only through Session Manager "
    "(docs/workstations.md)."
)

STOPPED = "while stopped, volumes, network and keys are billed"


def workstation_tables(plan: ClusterPlan, price: EnvironmentPrice, marks: Marks) -> list[Table]:
    """A table for each workstation."""
    return [
        Table(
            f"Workstation {workstation.name}",
            ("what", "value"),
            _rows(workstation, its_price, marks),
            _note(workstation),
        )
        for workstation, its_price in zip(plan.workstations, price.workstations, strict=True)
    ]


def _note(workstation: WorkstationPlan) -> str:
    return NOTE if workstation.lustre is None else LUSTRE_NOTE


def _rows(workstation: WorkstationPlan, price: GroupPrice, marks: Marks) -> tuple[tuple[str, ...], ...]:
    machine, path = workstation.machine, workstation.path
    volume = machine.require_root_volume()
    root = f"{volume.size_gib} GiB gp3, {volume.iops:,} IOPS, {volume.throughput_mibps} MiB/s"
    minutes = workstation.idle_stop_minutes
    return (
        ("instance type", machine.instance_type),
        ("zone", workstation.zone_id + marks.mark((*path, "availability_zone"))),
        ("purchase option", describe_purchase_option(machine.purchase) + marks.mark((*path, "capacity"))),
        ("kind of image", workstation.dlami),
        ("image", _image(workstation, marks)),
        ("login user", workstation.login_user),
        ("active at login", (workstation.virtual_environment or "none") + marks.mark((*path, "virtual_environment"))),
        ("home directory", _home(workstation)),
        *((("Lustre", f"mounted on {', '.join(workstation.lustre.folders)}"),) if workstation.lustre else ()),
        ("root volume", root + marks.mark((*path, "root_volume"))),
        (
            "stops when idle",
            (f"after {minutes} minutes" if minutes else "no") + marks.mark((*path, "idle_stop_minutes")),
        ),
        (
            "price, an hour",
            f"{dollars(price.machine_usd)} while it runs; {STOPPED}",
        ),
    )


def _image(workstation: WorkstationPlan, marks: Marks) -> str:
    pinned, mark = workstation.pinned_image, marks.mark((*workstation.path, "ami_id"))
    if pinned is None:
        return f"the newest when the instance is created{mark}"
    return f"{pinned}{LOCK_MARK if mark else ''}"


def _home(workstation: WorkstationPlan) -> str:
    if workstation.home is None:
        return "on the root volume, which is deleted with the instance"
    return f"the home {workstation.home}, which is kept when the instance is replaced"
