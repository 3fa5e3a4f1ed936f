"""FSx for Lustre CSI driver."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.plan.addon_plan import ManifestPlan
from neuron_cluster.schedulers.kubernetes.software.component import Component, ComponentAddon
from neuron_cluster.schedulers.kubernetes.software.component_context import ComponentContext
from neuron_cluster.schedulers.kubernetes.software.lustre_folders import lustre_folders
from neuron_cluster.schedulers.kubernetes.software.lustre_volumes import ADDON, COMPONENT, lustre_volumes


def component(context: ComponentContext) -> Component:
    """Without a role: the driver calls AWS only to create file systems. Ours are made here and mounted by their name,
    so its controller does without the AmazonFSxFullAccess that the guide attaches."""
    return Component(addons=(ComponentAddon(name=ADDON, has_role=False),), manifests=tuple(_manifests(context)))


def _manifests(context: ComponentContext) -> Iterator[ManifestPlan]:
    """Claims of the file, and the folders that their pods may write to."""
    lustre = context.lustre
    if lustre is None or not lustre.namespaces:
        return
    for namespace in lustre.namespaces:
        yield from lustre_volumes((*context.addons_path, COMPONENT), namespace, lustre.capacity_gib)
    if context.images.reaches_public_images:  # else rule W5091 reports it
        yield from lustre_folders(context, lustre)
