"""EFS CSI driver."""

from __future__ import annotations

from neuron_cluster.software.component import Component, ComponentAddon
from neuron_cluster.software.component_context import ComponentContext
from neuron_cluster.software.efs_volumes import ADDON, COMPONENT, access_point_of, efs_volumes


def component(context: ComponentContext) -> Component:
    """Without a role where the environment has a file system: the driver calls AWS only to create access points and
    for mounts with IAM, and those of the environment are made and mounted without. Else for file systems of the user,
    on which it may create access points."""
    path = (*context.addons_path, COMPONENT)
    manifests = tuple(
        manifest
        for namespace in context.namespaces
        for access_point in map(access_point_of, namespace.claims)
        if access_point in context.efs_access_points
        for manifest in efs_volumes(path, namespace.name, access_point)
    )
    return Component(addons=(ComponentAddon(name=ADDON, has_role=not context.efs_access_points),), manifests=manifests)
