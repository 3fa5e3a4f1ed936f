"""Every instance type with every EFA layout, way to buy and LNC as a group of Slurm: same reasons, same machine.

The rules about machines are about groups of every provider. Of a group of Slurm they find what they find of a node
group, and the plan has the machine that the catalog says; the Deep Learning AMI must support the family in addition.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from combination import Combination
from environment_text import GROUPS_IN_A_FILE, environment_tree, named_on_paper, node_group, surroundings, zone_of
from machine_summary import summary_of_rows
from msgspec import Struct

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.pipeline import Checked, check_environment

pytestmark = pytest.mark.slow

DLAMI = "base_ubuntu_24_04"
SLURM = {
    "version": "25.11",
    "dlami": DLAMI,
    "ami_id": "ami-0123456789abcdef0",
    "size": "large",
    "login": {"instance_type": "m7i.large", "count": {"min": 1, "max": 1}, "root_volume": {"size_gib": 512}},
}
GROUP = re.compile(r"slurm\.groups\[([0-9]+)\]")
FAMILY_MISMATCH = "E2117"
"""The finding at the DLAMI for a family that it does not support; the SDK of an AMI of the user is not known."""


class SlurmFile(Struct, frozen=True):
    combinations: tuple[Combination, ...]
    checked: Checked

    def errors(self) -> dict[Combination, set[str]]:
        """Returns the errors of each group."""
        found: dict[Combination, set[str]] = {each: set() for each in self.combinations}
        for finding in self.checked.findings:
            place = GROUP.match(finding.location.path)
            if place and finding.id.startswith("E"):
                found[self.combinations[int(place[1])]].add(finding.id)
        return found

    def errors_elsewhere(self) -> set[str]:
        return {
            finding.id
            for finding in self.checked.findings
            if finding.id.startswith("E") and not GROUP.match(finding.location.path)
        }


@pytest.fixture(scope="module")
def files(combinations: Sequence[Combination], tmp_path_factory: pytest.TempPathFactory) -> Sequence[SlurmFile]:
    return list(slurm_files(combinations, tmp_path_factory.mktemp("slurm")))


def slurm_files(combinations: Sequence[Combination], folder: Path) -> Iterator[SlurmFile]:
    """Yields files: combinations with reasons against them are in other files than those without."""
    ordered = sorted(combinations, key=lambda each: (*kind(each), each.name))
    for _, together in itertools.groupby(ordered, key=kind):
        members = tuple(together)
        for start in range(0, len(members), GROUPS_IN_A_FILE):
            part = members[start : start + GROUPS_IN_A_FILE]
            file = folder / f"{part[0].name}.yaml"
            file.write_text(yaml.safe_dump(slurm_tree(part), sort_keys=False))
            yield SlurmFile(part, check_environment(file))


def kind(each: Combination) -> tuple[bool, bool, str, str]:
    return (bool(each.refusals()), is_supported(each), *surroundings(each))


def slurm_tree(combinations: Sequence[Combination]) -> dict[str, Any]:
    tree = environment_tree(surroundings(combinations[0]), [])
    del tree["eks"]
    queues: dict[str, list[str]] = {}
    for each in combinations:
        queues.setdefault(f"lnc-{each.lnc}", []).append(each.name)  # E3065: a job has NeuronCores of one size
    slurm = {
        **SLURM,
        "groups": [slurm_group(each) for each in combinations],
        "queues": [{"name": name, "groups": groups} for name, groups in queues.items()],
    }
    return {**tree, "slurm": slurm}


def slurm_group(combination: Combination) -> dict[str, Any]:
    """The combination as a node group has it, without what is of Kubernetes."""
    group = node_group(combination, named_on_paper(combination), nodes=False)
    del group["labels"], group["pods_per_node"]
    return {**group, "count": {"max": group["count"]["max"]}, "root_volume": {"size_gib": 512}}


def is_supported(combination: Combination) -> bool:
    dlami = load_catalog().dlamis.get(DLAMI)
    assert dlami is not None
    return combination.row.family in dlami.families


def test_a_group_of_slurm_has_the_findings_of_a_node_group(files: Sequence[SlurmFile]) -> None:
    wrong = {
        str(each): (found, each.refusals())
        for file in files
        for each, found in file.errors().items()
        if found != each.refusals()
    }
    assert wrong == {}
    elsewhere = {(is_supported(file.combinations[0]), *file.errors_elsewhere()) for file in files}
    assert elsewhere == {(True,), (False, FAMILY_MISMATCH)}


def test_the_machine_of_a_group_of_slurm_is_what_the_catalog_says(files: Sequence[SlurmFile]) -> None:
    planned = 0
    for file in files:
        if not file.checked.plan:
            continue
        (slurm,) = file.checked.plan.providers
        _login, *groups = slurm.compute_groups
        for each, group in zip(file.combinations, groups, strict=True):
            machine, rows = group.machine, summary_of_rows(each)
            assert {
                "type": machine.instance_type,
                "EFA interfaces": machine.efa_interfaces,
                "LNC": machine.logical_nc_config,
                "NeuronCores": machine.neuroncores,
                "bought": (machine.purchase.kind, machine.purchase.market_type),
                "reservation": machine.purchase.reservation_id is not None,
                "resource group": machine.purchase.resource_group_arn is not None,
                "preference": machine.purchase.reservation_preference,
                "placement": machine.placement_strategy,
            }.items() <= rows.items(), str(each)
            laid = [(one.network_card_index, one.device_index, one.interface_type) for one in machine.interfaces]
            assert laid == [one[:3] for one in rows["interfaces"]], str(each)
            assert group.zone_ids == (zone_of(each),)
            planned += 1
    assert planned > 400
