"""A lock as a tree of texts, which is what its file holds and what its checksum is taken of."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import asdict

from neuron_cluster.lock.model import Lock, LockedImage, LockedNetwork

FORMAT = 1
"""The format of the files that this release writes and reads."""

CHECKSUM = "checksum"
NOT_KNOWN = "null"

LockPath = tuple[str, ...]
"""The way to an entry: ``("addons", "vpc-cni")``."""

LUSTRE_METADATA = ("storage", "lustre_metadata")
ROOT_VOLUME = "root_volume_gib"


def lock_tree(lock: Lock) -> dict[str, Any]:
    """Sections that hold nothing are left out; names inside a section are sorted."""
    whole: dict[str, Any] = {
        "format": str(FORMAT),
        "environment": lock.environment,
        "account": lock.account,
        "region": lock.region,
        "kubernetes_version": lock.kubernetes_version,
        "ami_releases": {
            name: {"image_id": row.image_id, "release_version": row.release_version}
            for name, row in sorted(lock.ami_releases.items())
        },
        "dlamis": {name: _dlami_tree(row) for name, row in sorted(lock.dlamis.items())},
        "amis": {name: {ROOT_VOLUME: str(gib)} for name, gib in sorted(lock.amis.items())},
        "addons": dict(sorted(lock.addons.items())),
        "charts": {
            name: {"digest": row.digest or NOT_KNOWN, "version": row.version}
            for name, row in sorted(lock.charts.items())
        },
        "images": {name: digest or NOT_KNOWN for name, digest in sorted(lock.images.items())},
        "storage": {"lustre_metadata": lock.lustre_metadata} if lock.lustre_metadata is not None else {},
        "network": _network_tree(lock.network) if lock.network is not None else {},
        "permission_sets": dict(sorted(lock.permission_sets.items())),
        **lock.parts,
    }
    return {key: value for key, value in whole.items() if value}


def _dlami_tree(row: LockedImage) -> dict[str, str]:
    return {key: str(value) for key, value in asdict(row).items() if value is not None}


def _network_tree(network: LockedNetwork) -> dict[str, Any]:
    """Lists are one text each, their items separated by a space."""
    return {
        "vpc_id": network.vpc_id,
        "cidrs": " ".join(network.cidrs),
        "endpoints": " ".join(network.endpoints),
        "subnets": {
            subnet_id: {"availability_zone": each.availability_zone, "cidr": each.cidr, "route": each.route}
            for subnet_id, each in sorted(network.subnets.items())
        },
    }


def checksum(tree: Mapping[str, Any]) -> str:
    """Returns the checksum of every entry but the checksum itself; comments and line ends may change without it."""
    content = {key: value for key, value in tree.items() if key != CHECKSUM}
    return f"sha256:{hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()}"


def leaves(tree: Mapping[str, Any], above: LockPath = ()) -> Iterator[tuple[LockPath, str]]:
    """Every entry with the way to it, in the order of the tree."""
    for key, value in tree.items():
        if isinstance(value, Mapping):
            yield from leaves(value, (*above, key))
        else:
            yield (*above, key), value
