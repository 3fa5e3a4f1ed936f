"""Each hint of a refusal is carried out on an environment's own templates: step by step, nothing is refused any more.

The local AWS runs those of the network and of data (``tests/integ/test_guard_hints.py``).
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hint_commands import command_error, commands_in

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.compare import change_findings
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.folded import folded
from neuron_cluster.findings.finding import Finding, Severity

from .conftest import imported, published

CATALOG = load_catalog()

Templates = dict[str, dict[str, Any]]
TemplatesOf = Callable[..., Templates]
Edits = Mapping[str, Any]

SYNC = "storage.lustre.sync"
TRN1 = "eks.node_groups.1"
BLOCK = {"kind": "capacity_block", "reservation_id": "cr-0123456789abcdef0"}
WITHOUT_CLUSTER = {"eks": None, "observability": None}
THREE_ZONES = {"network.availability_zones": ["usw2-az4", "usw2-az1", "usw2-az2"]}
STATION = {
    "name": "alice",
    "instance_type": "trn1.2xlarge",
    "dlami": "multi_framework_ubuntu_24_04",
    "root_volume": {"size_gib": 512},
}
RETAINED_BY_DESTROY = ("network", "storage")
"""Stacks that stay where the environment holds data."""


@pytest.fixture
def of(templates_of: TemplatesOf) -> Callable[..., Templates]:
    """The templates of train-trn1 after edits: all, or those of parts and what they ask for."""

    def after(*edits: Edits, parts: tuple[str, ...] = ()) -> Templates:
        together = {key: value for each in edits for key, value in each.items()}
        return templates_of("train-trn1", together, *parts)

    return after


def errors(deployed: Templates, new: Templates) -> list[Finding]:
    """The errors of an edit, which name everything in words of the file and the services."""
    found = [finding for finding in change_findings(deployed, new, CATALOG) if finding.severity is Severity.ERROR]
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
    return {part: template for part, template in deployed.items() if part in RETAINED_BY_DESTROY}


@pytest.mark.hints("E9003", "E9004")
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


@pytest.mark.hints("E9006")
def test_a_zone_goes_after_what_imports_its_subnet(of: Callable[..., Templates]) -> None:
    old, new = of(THREE_ZONES), of()
    (error,) = errors(old, new)
    assert error.id == "E9006"
    found = re.search(r"1\. deploy what uses it alone: `npx cdk deploy .* --exclusively ([^`]+)`; 2\.", error.hint)
    assert found, error.hint
    first = old | {part: new[part] for part in found[1].split()}
    carried_out(old, first, new)


@pytest.mark.hints("E9006")
def test_a_zone_goes_with_the_workstations_in_three_steps(of: Callable[..., Templates]) -> None:
    station = STATION | {"availability_zone": "usw2-az2"}
    old, new = of(THREE_ZONES, {"workstations": [station]}), of()
    (error,) = errors(old, new)
    assert error.id == "E9006"
    assert "1. undo the edit except for what takes workstations out of the file, and deploy" in error.hint
    found = re.search(r"2\. make the whole edit, .* --exclusively ([^`]+)`; 3\. deploy everything", error.hint)
    assert found, error.hint
    first = of(THREE_ZONES)
    carried_out(old, first, first | {part: new[part] for part in found[1].split()}, new)


def test_a_network_without_data_is_removed_entirely_and_made_anew(of: Callable[..., Templates]) -> None:
    """A retained resource inside of the cluster is not data: it goes with the cluster."""
    no_data = {"storage": None}
    old, new = of(no_data), of(no_data, {"network.cidr": "10.21.0.0/16"})
    assert any(resource.get("DeletionPolicy") == "Retain" for resource in old["software"]["Resources"].values())
    (error,) = folded(Comparison(old, new, CATALOG), errors(old, new))
    assert error.id == "E9008"
    back, other = error.hint.splitlines()
    assert back == "write cidr: 10.20.0.0/16"
    assert other.startswith("for another network, remove all of the environment, `neuron-cluster destroy NAME`, and")
    carried_out(old, of(no_data))
    carried_out({}, new)


def exporting(stacks: Templates, port: int, mode: str = "a", importer: str = "cluster") -> Templates:
    """The three stacks made by hand, where another one imports a rule's id and a word of the network stack."""
    resources = {
        "Group": {"Type": "AWS::EC2::SecurityGroup", "Properties": {"GroupDescription": f"port {port}"}},
        "Rule": {
            "Type": "AWS::EC2::SecurityGroupIngress",
            "Properties": {"GroupId": {"Ref": "Group"}, "IpProtocol": "tcp", "FromPort": port, "ToPort": 443},
        },
    }
    stacks["net"]["Resources"] |= resources
    stacks["net"]["Outputs"] |= {
        "Rule": published("net:rule", {"Ref": "Rule"}),
        "Mode": published("net:mode", mode),
    }
    stacks[importer]["Resources"]["User"] = {
        "Type": "AWS::SSM::Parameter",
        "Properties": {"Type": "String", "Value": [imported("net:rule"), imported("net:mode")]},
    }
    return stacks


@pytest.mark.hints("E9005")
@pytest.mark.parametrize("edit", [{"port": 444}, {"port": 443, "mode": "b"}], ids=["replaced", "another value"])
def test_a_changed_export_goes_with_what_imports_it(edit: dict[str, Any], deployed: Templates, new: Templates) -> None:
    """No edit of a file comes to this today, so the stacks are made by hand."""
    old, edited = exporting(deployed, 443), exporting(new, **edit)
    (error,) = [finding for finding in change_findings(old, edited, CATALOG) if finding.severity is Severity.ERROR]
    assert error.id == "E9005"
    assert "1. `neuron-cluster destroy NAME`, which removes the stacks that import it and keeps data; 2." in error.hint
    left = {stack: template for stack, template in old.items() if stack != "cluster"}
    for state in (left, edited):
        assert change_findings(state, edited, CATALOG) == []
    assert change_findings(old, old, CATALOG) == []


@pytest.mark.hints("E9005")
def test_a_changed_export_that_data_imports_is_left_alone(deployed: Templates, new: Templates) -> None:
    old, edited = exporting(deployed, 443, importer="storage"), exporting(new, 444, importer="storage")
    (error,) = [finding for finding in change_findings(old, edited, CATALOG) if finding.severity is Severity.ERROR]
    assert error.id == "E9005"
    assert error.hint.startswith("undo the edit to keep the data where it is. To move it: deploy a second environment")
    assert change_findings(old, old, CATALOG) == []
    assert change_findings({}, edited, CATALOG) == []


LEFT_OVER = {
    "workstations": ({"workstations": [STATION]}, {}),
    "observability": ({}, {"observability": None}),
    "eks.image_cache": ({"eks.image_cache": True}, {}),
}


@pytest.mark.hints("W9504")
@pytest.mark.parametrize("key", LEFT_OVER)
def test_a_stack_that_nothing_asks_for_stays_with_its_key(key: str, of: Callable[..., Templates]) -> None:
    asked, unasked = (of(edits) for edits in LEFT_OVER[key])
    (warning,) = change_findings(asked, unasked, CATALOG)
    assert (warning.id, warning.hint) == ("W9504", f"to keep it, put {key} back into the file")
    assert change_findings(asked, asked, CATALOG) == []


@pytest.mark.hints("W9017")
def test_a_mirror_is_put_back(of: Callable[..., Templates]) -> None:
    of = functools.partial(of, parts=("storage",))
    (warning,) = change_findings(of(), of({SYNC: None}), CATALOG)
    assert warning.id == "W9017"
    assert warning.hint.startswith("put `sync` back into storage.lustre")
    assert change_findings(of(), of(), CATALOG) == []


@pytest.mark.hints("W9009")
def test_what_a_change_of_an_unknown_type_does_is_asked_of_cloudformation(deployed: Templates, new: Templates) -> None:
    """The command is run in tests/integ/test_cdk_command.py, on types that the local AWS has."""
    for stacks, name in ((deployed, "a"), (new, "b")):
        stacks["net"]["Resources"]["Odd"] = {"Type": "AWS::Nobody::Knows", "Properties": {"Name": name}}
    (warning,) = change_findings(deployed, new, CATALOG)
    assert warning.id == "W9009"
    assert commands_in(warning.hint) == ["npx cdk diff -c environment=NAME net"]
    assert command_error(commands_in(warning.hint)[0]) == ""
    assert change_findings(new, new, CATALOG) == []


@pytest.mark.hints("E9007")
def test_a_group_on_reserved_capacity_is_taken_out_first(of: Callable[..., Templates]) -> None:
    of = functools.partial(of, parts=("cluster", "nodes"))
    group = "eks.node_groups.1"
    block = {f"{group}.capacity": BLOCK}
    old, new = of(block), of(block, {f"{group}.name": "other"})
    (error,) = errors(old, new)
    assert error.id == "E9007"
    assert "1. take the group out of the file and deploy" in error.hint
    assert "2. put the edited group into the file and deploy" in error.hint
    carried_out(old, of({group: None}), new)


def running(nodes: int, **more: Any) -> Edits:
    return {f"{TRN1}.count": {"min": 0, "desired": nodes, "max": 16}, **more}


@pytest.mark.hints("E9018")
@pytest.mark.parametrize(
    "edit",
    [
        pytest.param({f"{TRN1}.root_volume": {"size_gib": 900}}, id="root volume", marks=pytest.mark.exhaustive),
        pytest.param({f"{TRN1}.capacity": BLOCK | {"reservation_id": "cr-0fedcba9876543210"}}, id="the next block"),
    ],
)
def test_nodes_of_a_block_are_updated_while_there_are_none(edit: Edits, of: Callable[..., Templates]) -> None:
    of = functools.partial(of, parts=("nodes",))
    block = {f"{TRN1}.capacity": BLOCK}
    old, new = of(block, running(4)), of(block, running(4), edit)
    (error,) = errors(old, new)
    assert (error.id, error.location.path) == ("E9018", "NodeGrouptrn1F2E0DEF8")
    assert "1. undo the edit, set desired: 0 in count of trn1 and deploy (its nodes go)" in error.hint
    carried_out(old, of(block, running(0)), new)


@pytest.mark.hints("W9019")
def test_a_neuron_group_is_replaced_without_nodes(of: Callable[..., Templates]) -> None:
    """In one step, too: the account may have quota and capacity for both."""
    of = functools.partial(of, parts=("nodes",))
    edit = {f"{TRN1}.instance_type": "trn1n.32xlarge"}
    old, new = of(running(4)), of(running(4), edit)
    (warning,) = change_findings(old, new, CATALOG)
    assert (warning.id, warning.location.path) == ("W9019", "NodeGrouptrn1F2E0DEF8")
    assert "its 4 new nodes start before its 4 old nodes end, and all 8 are billed" in warning.message
    assert "set desired: 0 in count of trn1 and deploy" in warning.hint
    empty = of(running(0))
    assert change_findings(old, empty, CATALOG) == []
    assert change_findings(empty, new, CATALOG) == []


@pytest.mark.hints("E9008")
@pytest.mark.parametrize(
    "edit",
    [{f"{SYNC}.prefix": "runs"}, pytest.param({f"{SYNC}.file_system_path": "/runs"}, marks=pytest.mark.exhaustive)],
)
def test_what_cannot_exist_twice_is_taken_out_and_put_back(edit: Edits, of: Callable[..., Templates]) -> None:
    of = functools.partial(of, parts=("storage",))
    old, new = of(), of(edit)
    (error,) = errors(old, new)
    assert (error.id, error.location.path) == ("E9008", "Sync")
    assert "1. take it out of the file and deploy; 2. put it back with the new setting and deploy" in error.hint
    assert "that deploy asks for the name (E9049)" in error.hint
    without = of({SYNC: None})
    carried_out(old, without)
    (again,) = errors(without, new)
    assert (again.id, "(now: never)" in again.message) == ("E9049", True), "the archive expires its objects again"


def groups(*names: str, **idle: dict[str, int]) -> Edits:
    """Small node groups by name, with a count where it is not the usual; that of the name ``system`` has no devices.

    Their nodes are too small for the checkpoints of the file (E4019), which has none then.
    """
    count = {"min": 1, "desired": 2, "max": 2}
    return {
        "storage.checkpoints": None,
        "eks.node_groups": [
            {
                "name": name,
                "instance_type": "m7i.xlarge" if name == "system" else "inf2.xlarge",
                "count": count | idle.get(name, {}),
                "root_volume": {"size_gib": 100},
            }
            for name in names
        ],
    }


FULL = ("system", *(f"g{number}" for number in range(1, 52)))
"""One group more than a stack of nodes holds; their templates take a second to synthesize."""


@pytest.mark.exhaustive
@pytest.mark.hints("E9021", "W9504")
def test_groups_keep_their_stack_when_one_is_emptied(of: Callable[..., Templates]) -> None:
    old = of(groups(*FULL))
    (error,) = errors(old, of(groups(*(name for name in FULL if name != "g1"))))
    assert error.id == "E9021"
    assert "set its count to min: 0, desired: 0" in error.hint
    (warning,) = change_findings(old, of(groups(*FULL[:50])), CATALOG)
    assert (warning.id, warning.hint) == ("W9504", "to keep it, put its node groups back into eks.node_groups")
    carried_out(old, of(groups(*FULL, g1={"min": 0, "desired": 0})))


@pytest.mark.exhaustive
@pytest.mark.hints("E9021")
def test_groups_keep_their_stack_when_one_is_put_at_the_end(of: Callable[..., Templates]) -> None:
    old = of(groups(*FULL))
    (error,) = errors(old, of(groups("first", *FULL)))
    assert error.id == "E9021"
    assert "put new ones at the end of eks.node_groups" in error.hint
    carried_out(old, of(groups(*FULL, "last")))


@pytest.mark.hints("E9021")
@pytest.mark.parametrize(
    ("before", "after"),
    [("m7i.xlarge", "inf2.xlarge"), pytest.param("inf2.xlarge", "m7i.xlarge", marks=pytest.mark.exhaustive)],
)
def test_a_group_that_gets_or_loses_its_devices_is_another_group(
    before: str, after: str, of: Callable[..., Templates]
) -> None:
    """Such groups are in other stacks: until then the instance type of a group was an edit like another."""
    root = {"root_volume": {"size_gib": 100}, "count": {"min": 1, "desired": 2, "max": 2}}
    old = groups("system")["eks.node_groups"]
    of = functools.partial(of, {"storage.checkpoints": None})
    deployed = of({"eks.node_groups": [*old, {"name": "jobs", "instance_type": before, **root}]})
    wanted = of({"eks.node_groups": [*old, {"name": "jobs", "instance_type": after, **root}]})
    (error,) = errors(deployed, wanted)
    assert error.id == "E9021"
    assert "append a group of another name with the new instance type and deploy" in error.hint
    other = {"name": "others", "instance_type": after, **root}
    both = of({"eks.node_groups": [*old, {"name": "jobs", "instance_type": before, **root}, other]})
    carried_out(deployed, both, of({"eks.node_groups": [*old, other]}))


def lustre(size: int) -> Edits:
    return {"storage.lustre.capacity_gib": size, "storage.checkpoints": None}


def home(size: int) -> Edits:
    return {"storage.homes": [{"name": "alice", "availability_zone": "usw2-az1", "size_gib": size}]}


@pytest.mark.hints("E9011")
@pytest.mark.parametrize(("sized", "size"), [(lustre, 4800), pytest.param(home, 200, marks=pytest.mark.exhaustive)])
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


def locked(templates: Templates) -> Templates:
    """With a version of each add-on, as a lock gives them."""
    addons = [
        each["Properties"]
        for template in templates.values()
        for each in template["Resources"].values()
        if each["Type"] == "AWS::EKS::Addon"
    ]
    for properties in addons:
        properties["AddonVersion"] = "v1.2.3-eksbuild.4"
    return templates


@pytest.mark.hints("E9012")
def test_kubernetes_goes_up_by_the_hints_version_after_version(of: Callable[..., Templates]) -> None:
    deployed, wanted, steps = of({"eks.version": "1.33"}), locked(of({"eks.version": "1.36"})), 0
    while found := errors(deployed, wanted):
        (error,) = found
        assert error.id == "E9012"
        first = re.fullmatch(r"deploy (1\.\d+) first", error.hint)
        assert first, error.hint
        following = locked(of({"eks.version": first[1]}))
        carried_out(deployed, following)
        deployed, steps = following, steps + 1
    assert steps == 2


@pytest.mark.hints("E9012")
def test_kubernetes_does_not_go_down_and_the_hint_names_what_it_has(of: Callable[..., Templates]) -> None:
    (error,) = errors(of(), of({"eks.version": "1.34"}))
    found = re.fullmatch(r"write (1\.\d+) or newer", error.hint)
    assert found, error.hint
    for version in (found[1], "1.36"):
        carried_out(of(), locked(of({"eks.version": version})))
