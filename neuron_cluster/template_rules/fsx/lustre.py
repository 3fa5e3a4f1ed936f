"""The catalog's row for the deployment type of a Lustre file system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.template_rules.property_tree import at, text
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.lustre import LustreDeploymentFacts

INTELLIGENT_TIERING = "INTELLIGENT_TIERING"
"""The storage type of file systems with a throughput instead of a capacity and a tier."""


def deployment_of(file_system: TemplateResource, catalog: Catalog) -> LustreDeploymentFacts | None:
    """The deployment type's row; None for other file systems and types that the catalog does not contain."""
    name = text(at(file_system.properties, "LustreConfiguration", "DeploymentType"))
    return catalog.lustre_deployment(name) if name is not None else None
