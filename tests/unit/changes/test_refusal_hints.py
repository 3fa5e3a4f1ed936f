"""Each hint of a refusal is carried out on an environment's own templates: step by step, nothing is refused any more.

The local AWS runs those of the network and of data (``tests/integ/test_guard_hints.py``).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from neuron_cluster.changes.compare import refusals
from neuron_cluster.findings import Finding, Severity

Templates = dict[str, dict[str, Any]]
TemplatesOf = Callable[..., Templates]
Edits = Mapping[str, Any]

SYNC = "storage.lustre.sync"
BLOCK = {"kind": "capacity_block", "reservation_id": "cr-0123456789abcdef0"}
WITHOUT_CLUSTER = {"eks": None, "observability": None}
THREE_ZONES = {"network.availability_zones": ["usw2-az4", "usw2-az1", "usw2-az2"]}
KEPT_BY_DESTROY = ("network", "storage")
"""Stacks that stay where the environment holds data."""


@pytest.fixture
def of(templates_of: TemplatesOf) -> Callable[..., Templates]:
    """The templates of train-trn1 after edits."""

    def after(*edits: Edits) -> Templates:
        together = {key: value for each in edits for key, value in each.items()}
        return templates_of("train-trn1", together)

    return after


def errors(deployed: Templates, new: Templates) -> list[Finding]:
    """The errors of an edit, which name everything in words of the file and the services."""
    found = [finding for finding in refusals(deployed, new) if finding.severity is Severity.ERROR]
    ids = {
        logical_id for state in (deployed, new) for template in state.values() for logical_id in template["Resources"]
    }
    for error in found:
        words = set(re.findall(r"\w+", f"{error.message} {error.hint}"))
        assert not words & (ids - {"Lustre"}), error
    return found


def carried_out(*states: Templates) -> None:
    """A deploy of each state over the one before is refused nowhere."""
    for deployed, new in itertools.pairwise(states):
        assert errors(deployed, new) == []


def destroyed(deployed: Templates) -> Templates:
    return {part: template for part, template in deployed.items() if part in KEPT_BY_DESTROY}


@pytest.mark.parametrize(
    ("edit", "refused"),
    [({"eks.service_cidr": "172.30.0.0/16"}, "E9003"), (WITHOUT_CLUSTER, "E9004")],
    ids=["replaced", "taken out"],
)
def test_a_cluster_goes_by_destroy_and_the_edited_file_is_deployed(
    edit: Edits, refused: str, of: Callable[..., Templates]
) -> None:
    old, new = of(), of(edit)
    (error,) = errors(old, new)
    assert error.id == refused
    assert "1. `neuron-cluster destroy NAME`" in error.hint
    assert "2. deploy the edited file" in error.hint
    carried_out(destroyed(old), new)
    carried_out(old, of())  # "undo the edit"


def test_a_zone_goes_after_what_imports_its_subnet(of: Callable[..., Templates]) -> None:
    old, new = of(THREE_ZONES), of()
    (error,) = errors(old, new)
    assert error.id == "E9006"
    found = re.search(r"1\. deploy what uses it alone: npx cdk deploy .* --exclusively ([^;]+); 2\.", error.hint)
    assert found, error.hint
    first = old | {part: new[part] for part in found[1].split()}
    carried_out(old, first, new)


def test_a_zone_goes_with_the_workstations_in_three_steps(of: Callable[..., Templates]) -> None:
    station = {
        "name": "alice",
        "instance_type": "trn1.2xlarge",
        "dlami": "multi_framework_ubuntu_24_04",
        "availability_zone": "usw2-az2",
        "root_volume": {"size_gib": 512},
    }
    old, new = of(THREE_ZONES, {"workstations": [station]}), of()
    (error,) = errors(old, new)
    assert error.id == "E9006"
    assert "1. undo the edit except for what takes workstations out of the file, and deploy" in error.hint
    found = re.search(r"2\. make the whole edit, .* --exclusively ([^;]+); 3\. deploy everything", error.hint)
    assert found, error.hint
    first = of(THREE_ZONES)
    carried_out(old, first, first | {part: new[part] for part in found[1].split()}, new)


def test_a_group_on_reserved_capacity_is_taken_out_first(of: Callable[..., Templates]) -> None:
    group = "eks.node_groups.1"
    block = {f"{group}.capacity": BLOCK}
    old, new = of(block), of(block, {f"{group}.name": "other"})
    (error,) = errors(old, new)
    assert error.id == "E9007"
    assert "1. take the group out of the file and deploy" in error.hint
    assert "2. put the edited group into the file and deploy" in error.hint
    carried_out(old, of({group: None}), new)


@pytest.mark.parametrize("edit", [{f"{SYNC}.prefix": "runs"}, {f"{SYNC}.file_system_path": "/runs"}])
def test_what_cannot_exist_twice_is_taken_out_and_put_back(edit: Edits, of: Callable[..., Templates]) -> None:
    old, new = of(), of(edit)
    (error,) = errors(old, new)
    assert (error.id, error.location.path) == ("E9008", "Sync")
    assert "1. take it out of the file and deploy; 2. put it back with the new setting and deploy" in error.hint
    carried_out(old, of({SYNC: None}), new)


def groups(*names: str, **idle: dict[str, int]) -> Edits:
    """Small node groups by name, with a count where it is not one node."""
    count = {"min": 1, "desired": 1, "max": 2}
    return {
        "eks.node_groups": [
            {
                "name": name,
                "instance_type": "m7i.xlarge",
                "count": count | idle.get(name, {}),
                "root_volume": {"size_gib": 50},
            }
            for name in names
        ]
    }


def test_groups_keep_their_stack_when_one_is_emptied_or_put_at_the_end(of: Callable[..., Templates]) -> None:
    names = ["system", *(f"g{number}" for number in range(1, 52))]
    old = of(groups(*names))
    for moving in (groups(*(name for name in names if name != "g1")), groups("first", *names)):
        (error,) = errors(old, of(moving))
        assert error.id == "E9008"
        assert "put new ones at the end of eks.node_groups" in error.hint
        assert "set its count to min: 0, desired: 0" in error.hint
    carried_out(old, of(groups(*names, "last")))
    carried_out(old, of(groups(*names, g1={"min": 0, "desired": 0})))


def lustre(size: int) -> Edits:
    return {"storage.lustre.capacity_gib": size}


def home(size: int) -> Edits:
    return {"storage.homes": [{"name": "alice", "availability_zone": "usw2-az1", "size_gib": size}]}


@pytest.mark.parametrize(("sized", "size"), [(lustre, 4800), (home, 200)])
def test_what_has_a_size_keeps_it_or_grows(
    sized: Callable[[int], Edits], size: int, of: Callable[..., Templates]
) -> None:
    old = of(sized(size))
    (error,) = errors(old, of(sized(size // 2)))
    assert error.id == "E9011"
    found = re.match(r"keep (\d+) GiB or grow it", error.hint)
    assert found, error.hint
    for kept_or_grown in (int(found[1]), int(found[1]) + size):
        carried_out(old, of(sized(kept_or_grown)))


def test_kubernetes_goes_up_by_the_hints_version_after_version(of: Callable[..., Templates]) -> None:
    deployed, wanted, steps = of({"eks.version": "1.33"}), of({"eks.version": "1.36"}), 0
    while found := errors(deployed, wanted):
        (error,) = found
        assert error.id == "E9012"
        first = re.fullmatch(r"deploy (1\.\d+) first", error.hint)
        assert first, error.hint
        following = of({"eks.version": first[1]})
        carried_out(deployed, following)
        deployed, steps = following, steps + 1
    assert steps == 2


def test_kubernetes_does_not_go_down_and_the_hint_names_what_it_has(of: Callable[..., Templates]) -> None:
    (error,) = errors(of(), of({"eks.version": "1.34"}))
    found = re.fullmatch(r"write (1\.\d+) or newer", error.hint)
    assert found, error.hint
    for version in (found[1], "1.36"):
        carried_out(of(), of({"eks.version": version}))
