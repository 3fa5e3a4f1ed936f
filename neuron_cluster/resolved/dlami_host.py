"""A group whose instances start from a DLAMI, as a host of Neuron software."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.resolved.neuron_host import NeuronHost

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.dlami import Dlami
    from neuron_cluster.catalog.instance_type import InstanceType
    from neuron_cluster.config.source_map import KeyPath
    from neuron_cluster.lock.model import Lock, LockedImage
    from neuron_cluster.resolved.compute_group import ComputeGroup


def dlami_host(
    group: ComputeGroup,
    instance_type: InstanceType,
    kind: str,
    dlami: Dlami | None,
    catalog: Catalog,
    lock: Lock | None,
    *,
    path: KeyPath | None = None,
    pinned: str | None = None,
    has_home: bool = False,
) -> NeuronHost:
    """With the driver of the SDK release that the DLAMI has: by the lock, else the newest that the catalog has seen.

    ``pinned`` is the AMI id of the file, if it has one.

    ``path`` is the key of the image, where the group has none of its own.
    """
    locked = lock.dlamis.get(kind) if lock is not None and pinned is None else None
    release, release_doubt = _release(dlami, locked)
    sdk = catalog.neuron_sdks.get(release) if release is not None else None
    image, driver, doubt = f"dlami {kind}", None, None
    if sdk is not None:
        image, driver = f"dlami {kind} with Neuron SDK {sdk.name}", sdk.driver
        doubt = sdk.doubt_about("driver") or release_doubt
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
        sdk=release if pinned is None else None,
        sdk_doubt=release_doubt,
    )


def _release(dlami: Dlami | None, locked: LockedImage | None) -> tuple[str | None, str | None]:
    """The SDK release of the image, and why it is not certain."""
    if dlami is None:
        return None, None
    if locked is not None and locked.neuron_sdk is not None:
        return locked.neuron_sdk, f"the release follows from the date in the name of {locked.image_id} ({locked.name})"
    return dlami.neuron_sdk, dlami.doubt_about("neuron_sdk")
