"""Plain ``cdk`` does not prompt: the metadata configuration of a file system must be in the file or its lock."""

from __future__ import annotations

from collections.abc import Mapping

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.config.source_map import KeyPath, format_path
from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.findings.commands import Command, render
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.storage_plan import MetadataSource


def undecided_metadata(plan: ClusterPlan) -> KeyPath | None:
    """The key that neither the file nor its lock decides, though a deployed file system may differ from its default."""
    lustre = plan.storage.lustre if plan.storage is not None else None
    if lustre is None or not lustre.takes_metadata or lustre.metadata_source is not MetadataSource.DEFAULT:
        return None
    return (*lustre.path, "metadata")


def require_decided_metadata(
    plan: ClusterPlan, display_name: str, commands: Mapping[Command, str], catalog: Catalog
) -> None:
    """Raises ``InvalidEnvironment`` with E9032 when neither the file nor its lock decides ``storage.lustre.metadata``.

    Not for a placeholder account, which has no credentials. FSx does not allow to add a metadata configuration to a
    file system, and CloudFormation then rolls the storage stack back.
    """
    path = undecided_metadata(plan)
    if path is None or plan.account in catalog.placeholder_accounts:
        return
    key = format_path(path)
    message = (
        f"{key} is absent and no lock records it: plain cdk cannot distinguish a new file system, which gets a "
        "metadata configuration, from a deployed one, to which FSx adds none"
    )
    hint = render(
        "write `metadata: automatic` for a file system that is not deployed yet. For a deployed one run "
        f"`{Command.LOCK}`, which records what it has",
        commands,
    )
    raise InvalidEnvironment([Finding("E9032", Location(display_name, path=key), message, hint)])
