"""Parts of a component in the cluster: Helm releases, managed add-ons, Kubernetes objects."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from neuron_cluster.catalog.pod_permission import PolicyStatement
from neuron_cluster.plan.addon_plan import ManifestPlan, NamespacePlan, PatchPlan, PodRolePlan
from neuron_cluster.schedulers.kubernetes.software import components
from neuron_cluster.schedulers.kubernetes.software.component_context import ComponentContext
from neuron_cluster.schedulers.kubernetes.software.components.registry import COMPONENTS


class Release(Struct, frozen=True, kw_only=True):
    """A Helm release, or a part of one that several components share: parts of one release are put together."""

    chart: str
    """A row of the catalog, or a folder below ``charts/``."""
    values: Mapping[str, Any]
    """Values of the toolkit, for the closed model of the chart."""
    name: str | None = None
    """None: the name that the catalog gives the chart's release."""
    namespaces: tuple[NamespacePlan, ...] = ()
    """To be created first: those of the chart's objects that neither helm nor the chart creates."""
    pod_roles: tuple[PodRolePlan, ...] = ()
    """Roles in addition to those of the catalog: those that depend on the environment."""
    stays: bool = False
    """Not uninstalled when its component is disabled."""


class ComponentAddon(Struct, frozen=True, kw_only=True):
    """A managed add-on. ``statements`` are what its role may do where no managed policy allows it."""

    name: str
    configuration: Mapping[str, Any] = field(default_factory=dict)
    has_role: bool = True
    """False: its pods get no rights, though the catalog names some."""
    statements: tuple[PolicyStatement, ...] = ()
    because: str = ""
    """Why resources of the statements are wide, where they are."""
    further_roles: tuple[PodRolePlan, ...] = ()
    """Roles of other service accounts than those of the catalog."""


class Component(Struct, frozen=True, kw_only=True):
    """The parts that one component installs."""

    releases: tuple[Release, ...] = ()
    addons: tuple[ComponentAddon, ...] = ()
    manifests: tuple[ManifestPlan, ...] = ()
    patches: tuple[PatchPlan, ...] = ()


def build_component(name: str, context: ComponentContext) -> Component:
    """Returns the parts of the component; modules of ``components`` are imported only for enabled components."""
    spec = COMPONENTS[name]
    if spec.builder is not None:
        module, _, function = spec.builder.partition(".")
        built: Component = getattr(importlib.import_module(f"{components.__name__}.{module}"), function)(context)
        return built
    if spec.kind == "addon":
        return Component(addons=(ComponentAddon(name=spec.source, configuration=spec.values(context)),))
    return Component(releases=(Release(chart=spec.source, values=spec.values(context)),))
