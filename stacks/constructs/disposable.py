"""A resource of a type that holds data elsewhere, and that holds none here."""

from __future__ import annotations

from constructs import IConstruct

from stacks.constructs.single_resource import single_resource

METADATA, REASON = "neuron-cluster", "holds-no-data"
"""Read by the template rules about data (``neuron_cluster.template_rules.disposable``)."""


def declare_disposable(construct: IConstruct, reason: str) -> None:
    """Writes the reason into the metadata of the resource."""
    single_resource(construct).add_metadata(METADATA, {REASON: reason})
