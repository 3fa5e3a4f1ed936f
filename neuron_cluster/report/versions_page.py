"""Which Neuron software meets on the machines: what a person on call asks first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.table import Table

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.plan.cluster_plan import ClusterPlan
    from neuron_cluster.plan.node_group_plan import NodeGroupPlan
    from neuron_cluster.plan.workstation_plan import WorkstationPlan

UNKNOWN = "no source says"
NOTE = "Runtime: of the containers of this release. Driver of a machine: of its image."


def versions_table(plan: ClusterPlan, catalog: Catalog) -> Table:
    """The parts of the SDK, the drivers that its runtime works with, and the driver of each Neuron machine."""
    sdk = catalog.neuron_sdk(plan.neuron_sdk)
    runtime = sdk.runtime if sdk is not None else None
    window = catalog.driver_window(runtime).in_words if runtime is not None else UNKNOWN
    groups = plan.node_groups
    rows = (
        ("Neuron SDK", plan.neuron_sdk),
        ("its runtime", runtime or UNKNOWN),
        ("works with", window),
        ("its driver", (sdk.driver if sdk is not None else None) or UNKNOWN),
        ("its compiler", (sdk.compiler if sdk is not None else None) or UNKNOWN),
        *((f"driver of {group.name}", _of_node(group, catalog)) for group in groups if group.machine.is_neuron),
        *(
            (f"driver of {each.name}", _of_workstation(each, catalog))
            for each in plan.workstations
            if each.machine.is_neuron
        ),
    )
    return Table("Neuron versions", ("what", "value"), rows, NOTE)


def _of_node(group: NodeGroupPlan, catalog: Catalog) -> str:
    if group.image.release is None:
        return "the newest on the day of creation"
    release = catalog.ami_release(group.image.release)
    driver = release.driver if release is not None else None
    return f"{driver or UNKNOWN} (AMI release {group.image.release})"


def _of_workstation(workstation: WorkstationPlan, catalog: Catalog) -> str:
    if workstation.pinned_image is not None:
        return f"that of {workstation.pinned_image}"
    dlami = catalog.dlami(workstation.dlami)
    sdk = catalog.neuron_sdk(dlami.neuron_sdk) if dlami is not None else None
    if dlami is None or sdk is None or sdk.driver is None:
        return UNKNOWN
    seen = f" on {dlami.checked_on}" if dlami.successor is None else ""
    return f"{sdk.driver} ({workstation.dlami} with Neuron SDK {sdk.name}{seen})"
