"""Findings about the data that exists: change guards compare templates, and the account has volumes and objects."""

from __future__ import annotations

from collections.abc import Sequence

from neuron_cluster.aws.session import Target
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.deploy.deleted_homes import with_deleted_homes
from neuron_cluster.deploy.deletion_counts import with_counted_deletions
from neuron_cluster.findings.finding import Finding


def findings_of_data(target: Target, comparison: Comparison, found: Sequence[Finding]) -> list[Finding]:
    """The findings of change guards as the account shows them. Queries only services that an edit concerns."""
    return with_counted_deletions(target, comparison, with_deleted_homes(target, comparison, found))
