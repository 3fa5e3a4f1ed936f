"""The catalog's row for the deployment type of a Lustre file system."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, items, text
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.lustre import LustreDeploymentFacts

INTELLIGENT_TIERING = "INTELLIGENT_TIERING"
"""The storage type of file systems with a throughput instead of a capacity and a tier."""


def deployment_of(file_system: TemplateResource, catalog: Catalog) -> LustreDeploymentFacts | None:
    """The deployment type's row; None for other file systems and types that the catalog does not contain."""
    name = text(at(file_system.properties, "LustreConfiguration", "DeploymentType"))
    return catalog.lustre_deployments.get(name) if name is not None else None


def instance_types(look_up: LookUp) -> Iterator[str]:
    """Yields the instance types of launch templates and node groups, as far as they are known."""
    for each in look_up.resources("AWS::EC2::LaunchTemplate"):
        yield text(at(each.properties, "LaunchTemplateData", "InstanceType")) or ""
    for each in look_up.resources("AWS::EKS::Nodegroup"):
        yield from (text(name) or "" for name in items(each.properties.get("InstanceTypes")))
