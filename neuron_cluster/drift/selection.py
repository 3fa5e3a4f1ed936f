"""The part of an environment that a deploy reads: what it changes, and what may have lost its protection."""

from __future__ import annotations

from collections.abc import Mapping

from local_aws.cloudformation.values import Address
from neuron_cluster.changes.comparison import Comparison

Selection = Mapping[Address, frozenset[str] | None]
"""Resources with the properties that are read of them; None for all properties."""


def changed_resources(comparison: Comparison) -> Selection:
    """The resources that a deploy updates, replaces or removes, whole."""
    return dict.fromkeys(sorted({*comparison.updated, *comparison.replaced, *comparison.removed}))


def weakened_resources(comparison: Comparison) -> Selection:
    """Resources with properties by which data is protected from the public and from deletion, with only these."""
    types, before = comparison.catalog.drift_types, comparison.before
    rows = {address: types.get(str(before.resource(address)["Type"])) for address in sorted(before.addresses())}
    return {address: frozenset(row.weakens) for address, row in rows.items() if row is not None and row.weakens}
