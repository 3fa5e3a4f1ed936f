"""EFS CSI driver."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.plan.addon_plan import ManifestPlan, PodRolePlan
from neuron_cluster.schedulers.kubernetes.software.component import Component, ComponentAddon
from neuron_cluster.schedulers.kubernetes.software.component_context import ComponentContext
from neuron_cluster.schedulers.kubernetes.software.efs_volumes import ADDON, COMPONENT, access_point_of, efs_volumes
from neuron_cluster.schedulers.kubernetes.software.s3_files_volumes import (
    NODE_ACCOUNT,
    S3_FILES_CLAIM,
    node_statements,
    s3_files_volumes,
)


def component(context: ComponentContext) -> Component:
    """Its controller has no role where the environment has a file system: the driver calls AWS only to create access
    points and for mounts with IAM, and those of EFS are made and mounted without. Else for file systems of the user,
    on which it may create access points. S3 Files is mounted with IAM: then its pods on the nodes have a role."""
    files = _s3_files_role(context)
    addon = ComponentAddon(name=ADDON, has_role=not (context.efs_access_points or files), further_roles=tuple(files))
    return Component(addons=(addon,), manifests=tuple(_manifests(context)))


def _manifests(context: ComponentContext) -> Iterator[ManifestPlan]:
    path = (*context.addons_path, COMPONENT)
    for namespace in context.namespaces:
        for claim in namespace.claims:
            access_point = access_point_of(claim)
            if access_point in context.efs_access_points:
                yield from efs_volumes(path, namespace.name, access_point)
            elif claim == S3_FILES_CLAIM and context.s3_files_prefix is not None:
                yield from s3_files_volumes(path, namespace.name)


def _s3_files_role(context: ComponentContext) -> list[PodRolePlan]:
    prefix = context.s3_files_prefix
    if prefix is None or not any(S3_FILES_CLAIM in namespace.claims for namespace in context.namespaces):
        return []
    statements = node_statements(prefix, context.region)
    because = "Files have names of the user's own; the prefix is that of the access point."
    return [PodRolePlan("kube-system", NODE_ACCOUNT, statements=statements, because=because)]
