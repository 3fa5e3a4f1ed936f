"""Clusters, compute node groups and queues of AWS Parallel Computing Service (PCS)."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client


class PcsCluster(Struct, frozen=True):
    id: str
    name: str
    status: str
    version: str
    """Of Slurm."""
    size: str
    accounting: str
    """``STANDARD`` or ``NONE``."""
    errors: tuple[str, ...] = ()


class PcsGroup(Struct, frozen=True):
    name: str
    status: str
    instance_types: tuple[str, ...]
    ami_id: str
    purchase_option: str
    min: int
    max: int
    errors: tuple[str, ...] = ()


class PcsQueue(Struct, frozen=True):
    name: str
    status: str
    groups: tuple[str, ...]
    """Names of compute node groups; the id of one that was not found."""
    errors: tuple[str, ...] = ()


def cluster(target: Target, identifier: str) -> PcsCluster | None:
    """Returns the cluster with this id or name; None when there is none."""
    pcs = client(target, "pcs")
    with translated():
        try:
            row = pcs.get_cluster(clusterIdentifier=identifier)["cluster"]
        except pcs.exceptions.ResourceNotFoundException:
            return None
    return PcsCluster(
        id=row["id"],
        name=row["name"],
        status=row["status"],
        version=row["scheduler"]["version"],
        size=row["size"],
        accounting=row.get("slurmConfiguration", {}).get("accounting", {}).get("mode", "NONE"),
        errors=_errors(row),
    )


def groups(target: Target, cluster_id: str) -> dict[str, PcsGroup]:
    """Returns the compute node groups of a cluster, by id."""
    pcs = client(target, "pcs")
    with translated():
        pages = pcs.get_paginator("list_compute_node_groups").paginate(clusterIdentifier=cluster_id)
        ids = [row["id"] for page in pages for row in page["computeNodeGroups"]]
        rows = [
            pcs.get_compute_node_group(clusterIdentifier=cluster_id, computeNodeGroupIdentifier=each)[
                "computeNodeGroup"
            ]
            for each in ids
        ]
    return {row["id"]: _group(row) for row in rows}


def queues(target: Target, cluster_id: str, known: dict[str, PcsGroup]) -> tuple[PcsQueue, ...]:
    """Returns the queues of a cluster, whose groups are ``known``."""
    pcs = client(target, "pcs")
    with translated():
        pages = pcs.get_paginator("list_queues").paginate(clusterIdentifier=cluster_id)
        ids = [row["id"] for page in pages for row in page["queues"]]
        rows = [pcs.get_queue(clusterIdentifier=cluster_id, queueIdentifier=each)["queue"] for each in ids]
    return tuple(_queue(row, known) for row in rows)


def _group(row: dict[str, Any]) -> PcsGroup:
    scaling = row["scalingConfiguration"]
    return PcsGroup(
        name=row["name"],
        status=row["status"],
        instance_types=tuple(each["instanceType"] for each in row["instanceConfigs"]),
        ami_id=row.get("amiId", ""),
        purchase_option=row.get("purchaseOption", "ONDEMAND"),
        min=scaling["minInstanceCount"],
        max=scaling["maxInstanceCount"],
        errors=_errors(row),
    )


def _queue(row: dict[str, Any], known: dict[str, PcsGroup]) -> PcsQueue:
    ids = [each["computeNodeGroupId"] for each in row.get("computeNodeGroupConfigurations", ())]
    names = tuple(known[each].name if each in known else each for each in ids)
    return PcsQueue(row["name"], row["status"], names, _errors(row))


def _errors(row: dict[str, Any]) -> tuple[str, ...]:
    return tuple(f"{each.get('code', '')}: {each.get('message', '')}" for each in row.get("errorInfo", ()))
