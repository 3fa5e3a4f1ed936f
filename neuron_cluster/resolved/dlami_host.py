"""A group whose instances start from a DLAMI, as a host of Neuron software."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.resolved.neuron_host import NeuronHost

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.dlami import Dlami
    from neuron_cluster.catalog.instance_type import InstanceType
    from neuron_cluster.config.source_map import KeyPath
    from neuron_cluster.resolved.compute_group import ComputeGroup


def dlami_host(
    group: ComputeGroup,
    instance_type: InstanceType,
    kind: str,
    dlami: Dlami | None,
    catalog: Catalog,
    *,
    path: KeyPath | None = None,
    pinned: str | None = None,
    has_home: bool = False,
) -> NeuronHost:
    """With the driver of the SDK release that the DLAMI has. ``pinned`` is the AMI id of the file, if it has one.

    ``path`` is the key of the image, where the group has none of its own.
    """
    sdk = catalog.neuron_sdk(dlami.neuron_sdk) if dlami is not None else None
    image, driver, doubt = f"dlami {kind}", None, None
    if dlami is not None and sdk is not None:
        image, driver = f"dlami {kind} with Neuron SDK {sdk.name}", sdk.driver
        doubt = sdk.doubt_about("driver") or dlami.doubt_about("neuron_sdk")
        if pinned is not None:
            doubt = f"{pinned} may be of another release than the newest image of its kind"
    return NeuronHost(
        path or (*group.path, "dlami"),
        group.name,
        instance_type,
        image,
        driver,
        doubt,
        dlami=dlami,
        has_home=has_home,
        group_path=group.path,
    )
