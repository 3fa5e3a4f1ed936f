"""Which Neuron software runs together on the instances: the first thing to look up in an incident."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.table import Table

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.dlami import Dlami
    from neuron_cluster.plan.cluster_plan import ClusterPlan
    from neuron_cluster.plan.compute_group_plan import ImagePlan

UNKNOWN = "unknown"
NOTE = "Runtime: of the containers of this release. Driver of an instance: of its image."


def versions_table(plan: ClusterPlan, catalog: Catalog) -> Table:
    """The parts of the SDK, the drivers that its runtime works with, and the driver of each Neuron instance."""
    sdk = catalog.neuron_sdks.get(plan.neuron_sdk)
    runtime = sdk.runtime if sdk is not None else None
    window = catalog.driver_conflicts.window(runtime).description if runtime is not None else UNKNOWN
    rows = (
        ("Neuron SDK", plan.neuron_sdk),
        ("its runtime", runtime or UNKNOWN),
        ("works with", window),
        ("its driver", (sdk.driver if sdk is not None else None) or UNKNOWN),
        ("its compiler", (sdk.compiler if sdk is not None else None) or UNKNOWN),
        *(
            (f"driver of {group.name}", _driver(group.image, catalog))
            for group in plan.compute_groups
            if group.machine.is_neuron
        ),
    )
    return Table("Neuron versions", ("what", "value"), rows, NOTE)


def _driver(image: ImagePlan, catalog: Catalog) -> str:
    """Returns the driver of the AMI release or the DLAMI from which the instances start."""
    if image.pinned is not None:
        return f"that of {image.pinned}"
    dlami = catalog.dlamis.get(image.family)
    if dlami is not None:
        return _of_dlami(dlami, catalog)
    if image.release is None:
        return "that of the AMI that is the newest when the group is created"
    release = catalog.ami_releases.get(image.release)
    driver = release.driver if release is not None else None
    return f"{driver or UNKNOWN} (AMI release {image.release})"


def _of_dlami(dlami: Dlami, catalog: Catalog) -> str:
    sdk = catalog.neuron_sdks.get(dlami.neuron_sdk)
    if sdk is None or sdk.driver is None:
        return UNKNOWN
    seen = f" on {dlami.checked_on}" if dlami.successor is None else ""
    return f"{sdk.driver} ({dlami.name} with Neuron SDK {sdk.name}{seen})"
