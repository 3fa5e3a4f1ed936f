"""In-place changes of a Lustre file system: one in each deploy, in the order that FSx requires."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.compare import change_findings
from neuron_cluster.findings.finding import Finding

Templates = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def deployed(templates_of: Callable[..., Templates]) -> Templates:
    return templates_of("train-trn1", {"storage.checkpoints": None}, "storage", "nodes")


def after(deployed: Templates, **changed: Any) -> Templates:
    """With other properties of the file system; ``StorageCapacity``, or those of its Lustre configuration."""
    new = copy.deepcopy(deployed)
    properties = new["storage"]["Resources"]["Lustre"]["Properties"]
    for name, value in changed.items():
        (properties if name == "StorageCapacity" else properties["LustreConfiguration"])[name] = value
    return new


def found(before: Templates, new: Templates) -> list[Finding]:
    return change_findings(before, new, load_catalog())


def user_provisioned(iops: int) -> dict[str, Any]:
    return {"Mode": "USER_PROVISIONED", "Iops": iops}


@pytest.mark.hints("E9041")
def test_metadata_iops_come_before_capacity_in_a_deploy_of_their_own(deployed: Templates) -> None:
    old = after(deployed, MetadataConfiguration=user_provisioned(6000))
    raised = after(old, MetadataConfiguration=user_provisioned(12000))
    both = after(raised, StorageCapacity=14_400)
    (error,) = found(old, both)
    assert error.id == "E9041"
    assert "metadata and capacity_gib" in error.message
    assert error.hint.startswith("take 2 deploys: 1. edit metadata alone")
    assert error.hint.endswith("2. when the file system is AVAILABLE, edit capacity_gib")
    assert {each.id for each in (*found(old, raised), *found(raised, both))} == {"W9042"}


def test_capacity_and_throughput_are_two_deploys(deployed: Templates) -> None:
    (error,) = found(deployed, after(deployed, StorageCapacity=14_400, PerUnitStorageThroughput=500))
    assert (error.id, "capacity_gib and throughput_mbps_per_tib" in error.message) == ("E9041", True)


@pytest.mark.hints("W9042")
def test_an_update_under_running_nodes_is_a_warning_and_none_without_nodes(
    deployed: Templates, templates_of: Callable[..., Templates]
) -> None:
    (warning,) = found(deployed, after(deployed, StorageCapacity=14_400))
    assert (warning.id, "while trn1 has nodes" in warning.message) == ("W9042", True)
    edits = {"storage.checkpoints": None, "eks.node_groups.1.count.desired": 0}
    idle = templates_of("train-trn1", edits, "storage", "nodes")
    assert found(idle, after(idle, StorageCapacity=14_400)) == []


def test_the_way_to_another_file_system_is_a_numbered_procedure_with_times(deployed: Templates) -> None:
    """80 % of 4,800 GiB are 4.12 TB: exported with 0.75 x 1,172 MB/s, read by the half as large one with 586 MB/s."""
    four = after(deployed, StorageCapacity=4_800, PerUnitStorageThroughput=250)
    errors = found(four, after(four, DeploymentType="SCRATCH_2", PerUnitStorageThroughput=0))
    assert {error.id for error in errors} >= {"E9001"}
    smaller = after(four, StorageCapacity=2_400)
    (error,) = [each for each in found(four, smaller) if each.id == "E9011"]
    for number in range(1, 7):
        assert f"{number}. " in error.hint
    assert "AgeOfOldestQueuedMessage of AutoExport is 0 (at most 78 min for 4.12 TB)" in error.hint
    assert "are read at first use (at most 117 min)" in error.hint
    assert error.hint.endswith("(docs/storage.md, Move a file system)")
