"""Resources that hold no data though their type usually does: stacks write the reason into their metadata."""

from __future__ import annotations

from neuron_cluster.template_rules.property_tree import at, text
from neuron_cluster.template_rules.template_resource import TemplateResource

METADATA, REASON = "neuron-cluster", "holds-no-data"


def holds_no_data(resource: TemplateResource) -> bool:
    """Whether the template gives a reason why nothing of a user is lost with the resource."""
    return bool(text(at(resource.body, "Metadata", METADATA, REASON)))
