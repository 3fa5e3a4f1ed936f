"""Decisions about a group whose instances start from a DLAMI, for every provider that has such groups."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.dlami import Dlami
from neuron_cluster.lock.model import Lock
from neuron_cluster.plan.compute_group_plan import BY_PARAMETER, BootstrapPlan, ComputeGroupPlan, ImagePlan
from neuron_cluster.plan.machine_plan import SecurityGroupRole
from neuron_cluster.planning.build_machine import build_machine
from neuron_cluster.resolved.dlami_group import DlamiGroup

Plan = TypeVar("Plan", bound=ComputeGroupPlan)


def build_dlami_group(
    kind: Callable[..., Plan], group: DlamiGroup, region: str, catalog: Catalog, lock: Lock | None, **fields: Any
) -> Plan:
    """``fields`` are those that the provider adds or decides itself, such as ``bootstrap``.

    Raises ``LookupError`` for a DLAMI that no rule should have let through.
    """
    decided = {
        "path": group.path,
        "name": group.name,
        "machine": build_machine(group, region, catalog, (SecurityGroupRole.NODE,)),
        "image": build_dlami_image(known_dlami(group.dlami, group.dlami_name), lock),
        "bootstrap": BootstrapPlan(),
        "scaling": group.scaling,
        "zone_ids": group.zone_ids,
        "team": group.team,
        "queue": group.queue,
    }
    return kind(**decided | fields)


def known_dlami(dlami: Dlami | None, name: str) -> Dlami:
    """The catalog's row. Raises ``LookupError`` for a name that no rule should have let through."""
    if dlami is None:
        raise LookupError(f"the catalog has no DLAMI {name}")
    return dlami


def build_dlami_image(dlami: Dlami, lock: Lock | None, ami_id: str | None = None) -> ImagePlan:
    """The AMI of the file, else that of the lock, else the newest one at each launch."""
    locked = lock.dlamis.get(dlami.name) if lock is not None else None
    pinned = ami_id or (locked.image_id if locked is not None else None)
    return ImagePlan(dlami.name, image=pinned or f"{BY_PARAMETER}{dlami.ssm_parameter}")
