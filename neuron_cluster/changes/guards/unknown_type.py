"""A type without a schema: nobody can tell what an edit of it replaces, and silence would be a lie."""

from __future__ import annotations

from neuron_cluster.catalog.resource_schema import resource_schema
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.wording import place
from neuron_cluster.changes.resource_name import name_in
from neuron_cluster.findings.finding import Finding

CUSTOM = ("Custom::", "AWS::CloudFormation::CustomResource")
"""A custom resource decides by itself; those of this toolkit update in place."""


def unknown_types(comparison: Comparison) -> list[Finding]:
    """W9009, for each resource that changes and whose type the catalog does not have."""
    return [
        Finding(
            "W9009",
            place(address),
            f"{name_in(comparison, address)} changes, and whether {comparison.type_of(address)} does so in place is "
            "not known: the catalog has no schema of this type",
            f"before you deploy, `npx cdk diff -c environment=NAME {address.stack}` makes a change set and says what "
            "CloudFormation would replace",
        )
        for address in sorted(comparison.updated)
        if not comparison.type_of(address).startswith(CUSTOM) and resource_schema(comparison.type_of(address)) is None
    ]
