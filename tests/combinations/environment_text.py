"""Environment files whose node groups are combinations, in Regions that offer their types."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from combination import Combination

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.findings.finding import Finding
from neuron_cluster.pipeline import Checked, check_environment

ACCOUNT = "700000000000"
KUBERNETES_VERSION = "1.35"
GROUPS_IN_A_FILE = 180
SYSTEM = {"name": "system", "instance_type": "m7i.large", "count": {"min": 2, "desired": 2, "max": 3}}
GROUP = re.compile(r"eks\.node_groups\[([0-9]+)\]")

Named = Callable[[Combination], Mapping[str, str]]
"""The names of what a combination is bought from: a reservation, a resource group, an UltraServer type."""


@functools.cache
def regions_of_types() -> Mapping[str, str]:
    """A Region for each type, and as few Regions as will do; a type that none offers takes the first."""
    rows = {row for row in load_catalog().instance_types if row.chip is not None and row.zone_ids}
    chosen: list[str] = []
    while left := [row for row in rows if not set(chosen) & set(row.zone_ids)]:
        offers = [region for row in left for region in row.zone_ids]
        chosen.append(max(sorted(set(offers)), key=offers.count))
    of_row = {row.name: [region for region in chosen if region in row.zone_ids] for row in rows}
    return {row.name: [*of_row.get(row.name, []), *chosen][0] for row in load_catalog().instance_types}


def region_of(combination: Combination) -> str:
    return regions_of_types()[combination.row.name]


def zone_of(combination: Combination) -> str:
    """A zone that offers the type; for one that is offered nowhere, any of its Region."""
    region = region_of(combination)
    return (*combination.row.offered_zone_ids(region), *load_catalog().regions.zone_ids(region))[0]


def named_on_paper(combination: Combination) -> Mapping[str, str]:
    """Names that no account has; each combination has its own, as two groups may not share every capacity."""
    number = int(combination.name[1:])
    return {
        "reservation_id": f"cr-{number:017x}",
        "resource_group": f"arn:aws:resource-groups:{region_of(combination)}:{ACCOUNT}:group/{combination.name}",
        "ultraserver": ultraserver_of(combination.row),
    }


def ultraserver_of(row: InstanceType) -> str:
    """EC2's name of the UltraServer that the type is a part of, or one that no UltraServer has."""
    unit = row.ultraserver
    return (unit.capacity_type if unit is not None else None) or "u-without-a-name"


@dataclass(frozen=True)
class WrittenFile:
    """One environment file and what the line says of it."""

    text: str
    combinations: tuple[Combination, ...]
    checked: Checked

    def findings_of(self, combination: Combination, severity: str) -> set[str]:
        """Ids of the findings whose key path and line are in the combination's node group."""
        start = self.text.index(f"- name: {combination.name}\n")
        end = self.text.find("- name: ", start + 1)
        lines = [self.text.count("\n", 0, at) + 1 for at in (start, end if end > 0 else len(self.text))]
        return {
            found.id
            for found in self._by_group.get(self.combinations.index(combination) + 1, ())
            if found.id.startswith(severity) and lines[0] <= found.location.line < lines[1]
        }

    @functools.cached_property
    def _by_group(self) -> Mapping[int, Sequence[Finding]]:
        """The findings by position of the node group in their key path."""
        found: dict[int, list[Finding]] = {}
        for finding in self.checked.findings:
            if group := GROUP.match(finding.location.path):
                found.setdefault(int(group[1]), []).append(finding)
        return found

    def findings_elsewhere(self) -> list[str]:
        """Errors that point at none of the combinations."""
        groups = tuple(f"eks.node_groups[{position + 1}]" for position in range(len(self.combinations)))
        return [
            f"{found.id} {found.location.path}: {found.message}"
            for found in self.checked.findings
            if found.id.startswith("E") and not found.location.path.startswith(groups)
        ]


def written_files(
    combinations: Iterable[Combination], folder: Path, named: Named = named_on_paper, *, nodes: bool = False
) -> Iterator[WrittenFile]:
    """The combinations in as few files as Region and SDK allow, each checked."""
    ordered = sorted(combinations, key=lambda each: (surroundings(each), each.name))
    for around, together in itertools.groupby(ordered, key=surroundings):
        members = list(together)
        for start in range(0, len(members), GROUPS_IN_A_FILE):
            part = tuple(members[start : start + GROUPS_IN_A_FILE])
            groups = [SYSTEM, *(node_group(each, named(each), nodes=nodes) for each in part)]
            text = yaml.safe_dump(environment_tree(around, groups), sort_keys=False)
            file = folder / f"{part[0].name}.yaml"
            file.write_text(text)
            yield WrittenFile(text, part, check_environment(file))


def node_group(combination: Combination, named: Mapping[str, str], *, nodes: bool) -> dict[str, Any]:
    """The combination as a node group, with or without machines at the start."""
    machines = combination.machines
    return {
        "name": combination.name,
        "instance_type": combination.row.name,
        "count": {"min": 0, "desired": machines if nodes else 0, "max": machines},
        "availability_zone": zone_of(combination),
        "efa": combination.layout.name,
        "capacity": combination.way.capacity(named),
        "logical_nc_config": combination.lnc,
        "pods_per_node": 10,
        "labels": {"combination": combination.name},
    }


def surroundings(combination: Combination) -> tuple[str, str]:
    """Region and SDK."""
    row, catalog = combination.row, load_catalog()
    chip = catalog.chips.get(row.chip or "")
    return region_of(combination), (chip.last_sdk if chip else None) or catalog.neuron_sdks.rows[0].name


def environment_tree(around: tuple[str, str], node_groups: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    region, sdk = around
    return {
        "schema": 1,
        "name": f"all-{region}",
        "account": ACCOUNT,
        "region": region,
        "lifecycle": "ephemeral",
        "neuron": {"sdk": sdk},
        "network": {
            "cidr": "10.0.0.0/16",
            "availability_zones": [*load_catalog().regions.zone_ids(region)],
            "nat": "single",
        },
        "eks": {
            "version": KUBERNETES_VERSION,
            "access": {"admins": [f"arn:aws:iam::{ACCOUNT}:role/admin"]},
            "prefix_delegation": True,
            "node_groups": list(node_groups),
        },
    }
