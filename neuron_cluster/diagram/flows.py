"""Flows of data and jobs between the parts of an environment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from neuron_cluster.diagram.group_cards import group_id
from neuron_cluster.diagram.model import Card, End, Flow, Kind
from neuron_cluster.diagram.network_areas import VPC, nat_id
from neuron_cluster.diagram.storage_cards import (
    BUCKET,
    CACHE,
    EFS,
    LUSTRE,
    REPLICA,
    S3_FILES,
    VAULT,
    home_id,
)
from neuron_cluster.diagram.team_cards import team_id
from neuron_cluster.findings.text import counted, listed
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.machine_plan import SecurityGroupRole
from neuron_cluster.plan.storage_plan import StoragePlan

MOST_NAMES = 3
"""An end with more of them has their number instead."""
INTERNET = "internet"
LUSTRE_CLIENTS = {SecurityGroupRole.STORAGE_CLIENT, SecurityGroupRole.HYPERPOD}


def flows_of(plan: ClusterPlan, cards: Sequence[Card]) -> Iterator[Flow]:
    """Jobs first, then data, then the way out. An end has the ids of cards in ``cards``, or of areas."""
    yield from _jobs(plan, cards)
    if plan.storage is not None:
        yield from _mounts(plan, plan.storage, cards)
        yield from _copies(plan.storage)
    yield from _egress(plan)


def _jobs(plan: ClusterPlan, cards: Sequence[Card]) -> Iterator[Flow]:
    for path in (path for each in plan.providers for path in each.work_paths()):
        teams = End(_names(path.teams, "team"), tuple(map(team_id, path.teams)))
        source = teams if path.teams else _groups(path.from_groups, cards)
        yield Flow(source, _groups(path.groups, cards), path.text)


def _mounts(plan: ClusterPlan, storage: StoragePlan, cards: Sequence[Card]) -> Iterator[Flow]:
    mounting = [
        group.name
        for group in plan.compute_groups
        if any(LUSTRE_CLIENTS & {*each.groups} for each in group.machine.interfaces)
    ]
    if storage.lustre is not None and mounting:
        yield Flow(_groups(mounting, cards), End("FSx for Lustre", (LUSTRE,)), "files, mounted", goes_back=True)
    nodes = [group.name for group in plan.cluster_groups]
    if storage.efs is not None and nodes:
        yield Flow(_groups(nodes, cards), End("EFS", (EFS,)), "files, by NFS", goes_back=True)
    if storage.compile_cache is not None and nodes:
        compiled = [each.group for each in storage.compile_cache.compiled_for]
        yield Flow(_groups(compiled or nodes, cards), End("Compile cache", (CACHE,)), "compiled graphs", goes_back=True)
    for each in plan.workstations:
        if each.home is not None:
            yield Flow(
                End(each.name, (group_id(each),)), End(f"Home {each.home}", (home_id(each.home),)), "home folder"
            )


def _copies(storage: StoragePlan) -> Iterator[Flow]:
    """From one store to another."""
    bucket = End("Checkpoint bucket", (BUCKET,))
    association = storage.lustre.association if storage.lustre is not None else None
    if association is not None:
        text = f"{association.file_system_path} and {association.prefix}/"
        yield Flow(End("FSx for Lustre", (LUSTRE,)), bucket, text, goes_back=True)
    if storage.s3_files is not None:
        yield Flow(End("S3 Files", (S3_FILES,)), bucket, storage.s3_files.prefix, goes_back=True)
    replication = storage.bucket.replication if storage.bucket is not None else None
    if replication is not None:
        target = End(replication.bucket, (REPLICA,))
        yield Flow(bucket, target, f"new objects of {listed(replication.prefixes)}")
    backup = storage.backup
    if backup is not None:
        kinds = ((backup.takes_bucket, BUCKET), (backup.takes_lustre, LUSTRE), (backup.takes_efs, EFS))
        ids = (*(each for is_taken, each in kinds if is_taken), *map(home_id, backup.homes))
        yield Flow(End(counted(len(ids), "store"), ids), End("Backup vault", (VAULT,)), "recovery points")


def _egress(plan: ClusterPlan) -> Iterator[Flow]:
    """To the internet; where there is no way out, nothing."""
    gateways = [zone.zone_id for zone in plan.network.zones if zone.has_nat_gateway]
    if plan.network.existing is None and gateways:
        vpc = End("private subnets", (VPC,))
        ids = tuple(map(nat_id, gateways))
        yield Flow(vpc, End("internet", (INTERNET,)), f"outbound, by {counted(len(ids), 'NAT gateway')}")


def _groups(names: Sequence[str], cards: Sequence[Card]) -> End:
    """Cards that have groups of these names among their members."""
    wanted = set(names)
    kinds = (Kind.GROUP, Kind.WORKSTATION)
    ids = tuple(card.id for card in cards if card.kind in kinds and wanted & set(card.members))
    return End(_names(names, "group"), ids)


def _names(names: Sequence[str], noun: str) -> str:
    return counted(len(names), noun) if len(names) > MOST_NAMES else ", ".join(names)
