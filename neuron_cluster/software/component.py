"""The contract of a component: what one switch of ``eks.addons`` brings to the cluster.

Each file of ``components/`` bears the name of its switch and has one function, ``component(setting) -> Component``; a
file is imported when its switch is on. What a chart provides, needs and watches, and what its pods may do in AWS, is
data: its row of the catalog.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct, field

from neuron_cluster.catalog.pod_permission import PolicyStatement
from neuron_cluster.plan.addon_plan import ManifestPlan, NamespacePlan, PatchPlan
from neuron_cluster.software.setting import Setting

PodSecurity = Literal["privileged", "baseline", "restricted"]


class Release(Struct, frozen=True, kw_only=True):
    """A Helm release, or a part of one that several switches share: parts of one release are put together."""

    chart: str
    """A row of the catalog, or a folder below ``charts/``."""
    values: Mapping[str, Any]
    """Ours, from the closed model of the chart."""
    name: str | None = None
    """None: the name that the catalog gives the chart's release."""
    namespaces: tuple[NamespacePlan, ...] = ()
    """To be made first: those of the chart's objects that neither helm nor the chart makes."""
    after: tuple[str, ...] = ()
    """Switches whose software comes first where they are on."""
    namespace: str | None = None
    """Of a chart of ours; None: as the catalog says."""
    stays: bool = False
    """Not uninstalled when its switch goes off."""
    pod_security: PodSecurity = "baseline"
    """Level of the release's own namespace, which is made first; that of the cluster's system is left as it is."""


class ManagedAddon(Struct, frozen=True, kw_only=True):
    """An EKS managed add-on. ``statements`` are what its role may do where no managed policy says it."""

    name: str
    configuration: Mapping[str, Any] = field(default_factory=dict)
    has_role: bool = True
    """False: its pods get no rights, though the catalog names some."""
    statements: tuple[PolicyStatement, ...] = ()
    because: str = ""
    """Why resources of the statements are wide, where they are."""


class Component(Struct, frozen=True, kw_only=True):
    """What one switch brings."""

    releases: tuple[Release, ...] = ()
    addons: tuple[ManagedAddon, ...] = ()
    manifests: tuple[ManifestPlan, ...] = ()
    patches: tuple[PatchPlan, ...] = ()


def component_of(switch: str, setting: Setting) -> Component:
    """The component of this switch, from the file of its name."""
    module = importlib.import_module(f"neuron_cluster.software.components.{switch}")
    made: Component = module.component(setting)
    return made
