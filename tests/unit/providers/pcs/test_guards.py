"""Changes of a PCS cluster and its groups that stop a deploy: each guard on the templates of slurm-trn2-block."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.compare import change_findings
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.source_key import source_keys
from neuron_cluster.findings.finding import Severity
from neuron_cluster.providers.pcs.changes.guards.version import rejected_update
from neuron_cluster.providers.pcs.changes.resource_kinds import CLUSTER, COMPUTE_NODE_GROUP

CATALOG = load_catalog()

Templates = dict[str, dict[str, Any]]
Edit = Callable[[Templates], None]

ACCOUNTING = ("SlurmConfiguration", "Accounting", "Mode")
VERSIONS = ["24.11", "25.05", "25.11", "26.05", "26.11"]
OTHER_BLOCK = "cr-0fedcba9876543210"


@pytest.fixture(scope="module")
def deployed(templates_of: Callable[..., Templates]) -> Templates:
    return templates_of("slurm-trn2-block")


def resource(templates: Templates, type_name: str, name: str) -> dict[str, Any]:
    """The one of this type whose name begins so."""
    (found,) = (
        each
        for template in templates.values()
        for each in template["Resources"].values()
        if each["Type"] == type_name and str(each["Properties"]["Name"]).startswith(name)
    )
    return dict(found["Properties"])


def with_cluster(templates: Templates, *edits: tuple[tuple[str, ...], str]) -> Templates:
    """After edits of properties of the cluster."""
    new = copy.deepcopy(templates)
    for (*path, last), value in edits:
        place = new["slurm"]["Resources"]["Cluster"]["Properties"]
        for step in path:
            place = place[step]
        place[last] = value
    return new


def with_type(templates: Templates, group: str, instance_type: str) -> Templates:
    """Another instance type of a group, and so another name: its hash is of what fixes it."""
    new = copy.deepcopy(templates)
    for each in new["compute"]["Resources"].values():
        if each["Type"] == COMPUTE_NODE_GROUP and each["Properties"]["Name"].startswith(f"{group}-"):
            each["Properties"] |= {"InstanceConfigs": [{"InstanceType": instance_type}], "Name": f"{group}-123456"}
    return new


def with_ami(templates: Templates) -> Templates:
    """The groups have another AMI."""
    new = copy.deepcopy(templates)
    for each in new["compute"]["Resources"].values():
        if each["Type"] == COMPUTE_NODE_GROUP:
            each["Properties"]["AmiId"] = "ami-0fedcba9876543210"
    return new


def with_minimum(templates: Templates, group: str, minimum: int) -> Templates:
    new = copy.deepcopy(templates)
    for each in new["compute"]["Resources"].values():
        if each["Type"] == COMPUTE_NODE_GROUP and each["Properties"]["Name"].startswith(f"{group}-"):
            each["Properties"]["ScalingConfiguration"]["MinInstanceCount"] = minimum
    return new


def with_block(templates: Templates, reservation_id: str) -> Templates:
    """The launch templates name another capacity block."""
    new = copy.deepcopy(templates)
    for each in new["compute"]["Resources"].values():
        data = each.get("Properties", {}).get("LaunchTemplateData", {})
        if "CapacityReservationSpecification" in data:
            target = {"CapacityReservationId": reservation_id}
            data["CapacityReservationSpecification"] = {"CapacityReservationTarget": target}
    return new


def found(before: Templates, after: Templates) -> list[tuple[str, Severity]]:
    return [(finding.id, finding.severity) for finding in change_findings(before, after, CATALOG)]


@pytest.mark.parametrize(("path", "value"), [(("Size",), "MEDIUM"), (("Name",), "other")])
def test_an_edit_that_replaces_the_cluster_is_an_error(deployed: Templates, path: tuple[str, ...], value: str) -> None:
    findings = change_findings(deployed, with_cluster(deployed, (path, value)), CATALOG)
    (error,) = (each for each in findings if each.id == "E9061")
    assert error.severity is Severity.ERROR
    assert "would be replaced with its jobs and accounting records, because of" in error.message
    assert value in error.message
    assert "deploy the edited file" in error.hint


def test_a_cluster_that_is_no_longer_in_the_file_is_an_error(deployed: Templates) -> None:
    without = {part: template for part, template in deployed.items() if part not in ("slurm", "compute")}
    findings = change_findings(deployed, without, CATALOG)
    (error,) = (each for each in findings if each.id == "E9062")
    assert error.severity is Severity.ERROR
    assert "is no longer in the file" in error.message


@pytest.mark.parametrize(
    ("version", "expected"), [("26.05", []), ("25.05", [("E9063", Severity.ERROR)]), ("99.05", [])]
)
def test_the_slurm_version_goes_up(deployed: Templates, version: str, expected: list[tuple[str, Severity]]) -> None:
    after = with_ami(with_cluster(deployed, (("Scheduler", "Version"), version)))
    assert found(deployed, after) == expected


@pytest.mark.hints("W9097")
def test_another_slurm_version_needs_an_ami_that_has_it(deployed: Templates) -> None:
    after = with_cluster(deployed, (("Scheduler", "Version"), "26.05"))
    (warning,) = change_findings(deployed, after, CATALOG)
    assert warning.id == "W9097"
    assert "ami-0123456789abcdef0 stays the AMI of the nodes" in warning.message
    keys = source_keys(Comparison(deployed, after, CATALOG), [warning])
    assert list(keys.values()) == [("slurm", "ami_id")], "in the file, and not at a resource"
    assert change_findings(deployed, with_ami(after), CATALOG) == []


def test_only_a_version_that_changes_is_judged(deployed: Templates) -> None:
    """A cluster of an old version takes another setting."""
    old = with_cluster(deployed, (("Scheduler", "Version"), "24.11"))
    assert found(old, with_cluster(old, (("SlurmConfiguration", "ScaleDownIdleTimeInSeconds"), "900"))) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("24.11", "26.05", []),
        (
            "24.11",
            "26.11",
            [
                (
                    "the Slurm version is 24.11 and cannot change to 26.11: an update raises it by 3 major versions",
                    "deploy 26.05 first",
                )
            ],
        ),
        (
            "26.11",
            "26.05",
            [("the Slurm version is 26.11 and cannot change to 26.05: PCS never downgrades", "write 26.11 or newer")],
        ),
        ("25.11", "25.11", []),
        ("23.11", "24.11", []),
        ("24.11", "27.05", []),
    ],
)
def test_an_update_raises_the_version_by_no_more_than_pcs_takes(
    old: str, new: str, expected: list[tuple[str, str]]
) -> None:
    """The catalog has fewer versions than that yet."""
    assert [*rejected_update(old, new, VERSIONS, 3)] == expected


def test_accounting_that_is_turned_off_is_a_warning_and_turned_on_is_none(deployed: Templates) -> None:
    off = with_cluster(deployed, (ACCOUNTING, "NONE"))
    (warning,) = change_findings(deployed, off, CATALOG)
    assert (warning.id, warning.severity) == ("W9064", Severity.WARNING)
    assert "accounting of" in warning.message
    assert "accounting: true" in warning.hint
    assert found(off, deployed) == []


def test_a_group_on_a_capacity_block_is_not_replaced_in_one_step(deployed: Templates) -> None:
    before = with_minimum(deployed, "trn2", 1)
    (error,) = change_findings(before, with_type(before, "trn2", "trn2u.48xlarge"), CATALOG)
    assert (error.id, error.severity) == ("E9065", Severity.ERROR)
    assert "trn2" in error.message
    assert "runs on reserved capacity and would be replaced, because of" in error.message
    assert error.hint.startswith("take two steps: 1.")


def test_a_group_is_replaced_where_its_capacity_is_not_taken(deployed: Templates) -> None:
    """On demand; or in another block than the one in which the old nodes run."""
    assert found(deployed, with_type(deployed, "prepare", "m7i.2xlarge")) == []
    before = with_minimum(deployed, "trn2", 1)
    assert found(before, with_block(with_type(before, "trn2", "trn2u.48xlarge"), OTHER_BLOCK)) == []


def test_another_block_of_a_group_is_an_update_in_place(deployed: Templates) -> None:
    assert found(deployed, with_block(deployed, OTHER_BLOCK)) == []


def test_the_templates_have_a_cluster_and_a_group_in_a_block(deployed: Templates) -> None:
    """The edits of the other tests change existing values."""
    assert resource(deployed, CLUSTER, "slurm-trn2-block")["Size"] == "SMALL"
    assert resource(deployed, COMPUTE_NODE_GROUP, "trn2-")["InstanceConfigs"] == [{"InstanceType": "trn2.48xlarge"}]
    assert with_block(deployed, OTHER_BLOCK) != deployed
