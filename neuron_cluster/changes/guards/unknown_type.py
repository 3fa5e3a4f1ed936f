"""A resource type without a schema: its update behaviour is unknown."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.changes.resource_name import name_in
from neuron_cluster.findings.commands import Command

CUSTOM = ("Custom::", "AWS::CloudFormation::CustomResource")
"""A custom resource decides by itself; those of this toolkit update in place."""


class UnknownType(Guard):
    """The catalog has the CloudFormation schema of every resource that changes.

    The schema lists which properties are create-only. Without it only CloudFormation's change set shows whether the
    resource is updated in place or replaced.
    """

    id = "W9009"
    source = "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-updating-stacks-changesets.html"

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        """Yields a violation for each resource that changes and whose type the catalog does not have."""
        for address in sorted(comparison.updated):
            kind = comparison.type_of(address)
            if not kind.startswith(CUSTOM) and comparison.catalog.resource_schemas.get(kind) is None:
                yield Violation(
                    address,
                    f"{name_in(comparison, address)} changes, and whether {kind} does so in place is not known: the "
                    "catalog has no schema of this type",
                    f"before you deploy, `{Command.CDK_DIFF} {address.stack}` makes a change set and "
                    "shows what CloudFormation would replace",
                )
