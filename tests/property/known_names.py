"""The names that the catalog knows, by kind: where a field asks for one, no free text would ever be right.

A field's own example says of which kind it is, so that a new field, and a new kind of row, need no line here.
"""

from __future__ import annotations

import functools
import inspect
import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.table import Table

NETWORKS = [f"10.{second}.0.0/{bits}" for bits in (16, 18, 20, 24) for second in (64, 96)]
PUBLIC_NETWORKS = ["203.0.113.0/24", "198.51.100.7/32"]
SERVICE_NETWORKS = ["172.20.0.0/16", "172.30.0.0/20"]
OTHER_TABLES = {"model_divisions", "placeholder_accounts", "weight_formats"}
"""Tables with a name that is in the examples of a field, but not from there."""


@functools.cache
def catalog_names() -> tuple[tuple[str, ...], ...]:
    """The names of each kind of row, whatever kinds the catalog has; and of what the rows hold by name."""
    catalog = load_catalog()
    tables = dict(inspect.getmembers(catalog, lambda member: isinstance(member, Table)))
    rows = [table.names for name, table in tables.items() if name not in OTHER_TABLES]
    environments = [name for dlami in catalog.dlamis for name in dlami.virtual_environment_names]
    releases = [f"{row.name}.{patch}-20260714" for row in catalog.kubernetes_versions for patch in (2, 1)]
    zones = [zone for region in catalog.regions for zone in catalog.regions.zone_ids(region.name)]
    kinds_found = [*rows, environments, releases, zones, NETWORKS, PUBLIC_NETWORKS, SERVICE_NETWORKS]
    return tuple(tuple(dict.fromkeys(names)) for names in kinds_found if names)


@dataclass(frozen=True)
class KnownNames:
    """The choice of one environment: everything is in one Region, in a few of its zones."""

    region: str
    zones: tuple[str, ...]

    def __call__(self, examples: Sequence[Any]) -> Sequence[str]:
        """Names of the kind that has most of the examples; none when no kind has any."""
        given = {str(example) for example in examples}
        networks = next(filter(None, map(_networks_like, map(str, examples))), None)
        names = networks or max(catalog_names(), key=lambda kind: len(given & {*kind}))
        if not given & {*names}:
            return networks or ()
        return [name for name in names if name == self.region or name in self.zones] or names


def _networks_like(example: str) -> Sequence[str]:
    if "/" not in example:
        return ()
    try:
        network = ipaddress.IPv4Network(example)
    except ValueError:
        return ()
    kinds = (NETWORKS, PUBLIC_NETWORKS, SERVICE_NETWORKS)
    return next((kind for kind in kinds if example in kind), PUBLIC_NETWORKS if not network.is_private else NETWORKS)


def all_known_names() -> list[KnownNames]:
    """Returns Regions with Neuron machines: the Region and its first four zones; that of the examples first."""
    catalog = load_catalog()
    named = {region for row in catalog.instance_types if row.neuron_devices for region in row.zone_ids}
    regions = sorted(named, key=lambda name: (name != "us-west-2", name))
    return [KnownNames(name, tuple(catalog.regions.zone_ids(name)[:4])) for name in regions]
