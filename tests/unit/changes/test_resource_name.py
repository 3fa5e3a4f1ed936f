"""Names of resources in messages: words of the service and of the file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from local_aws.cloudformation.values import Address
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.resource_name import NAMES, describe, resource_name
from neuron_cluster.changes.source import registered_resource_kinds
from neuron_cluster.changes.stack_set import StackSet
from neuron_cluster.changes.summary.template_diff import diff_templates

CATALOG = load_catalog()

GOLDEN = Path(__file__).parents[2] / "golden"

Stacks = dict[str, dict[str, Any]]


def golden(environment: str) -> StackSet:
    files = (GOLDEN / environment).glob("*.template.json")
    return StackSet({file.name.removesuffix(".template.json"): json.loads(file.read_text()) for file in files})


@pytest.mark.parametrize("environment", ["train-trn1", "train-trn2", "dev-inf2", "workstation"])
def test_what_a_guard_can_be_about_has_a_name_of_its_own(environment: str) -> None:
    stacks = golden(environment)
    kinds = {*NAMES, *registered_resource_kinds()}
    named = [address for address in sorted(stacks.addresses()) if stacks.resource(address)["Type"] in kinds]
    names = {address: resource_name(stacks, address) for address in named}
    without_a_name = {"ControlPlaneLogs", "Handler", "onEvent", "FlowLogLogs", "RoleAccess"}
    """Log groups and entries whose name only AWS knows: no edit of the file replaces one."""
    for address, name in names.items():
        is_told = name.startswith("the ")
        assert is_told or any(part in address.logical_id for part in without_a_name), (address, name)
    reported = [name for name in names.values() if name.startswith("the ")]
    assert sorted(reported) == sorted(set(reported))


def test_names_are_those_of_the_file_and_the_service() -> None:
    stacks = golden("train-trn1")
    names = {resource_name(stacks, address) for address in stacks.addresses()}
    assert names >= {
        "the Lustre file system",
        "the checkpoint bucket",
        "the data repository association of /checkpoints",
        "the private subnet of usw2-az4",
        "the node group trn1",
        "the launch template of the node group trn1",
        'the security group "EFA interfaces"',
        "the cluster train-trn1",
        "the add-on vpc-cni",
    }
    station = golden("workstation")
    names = {resource_name(station, address) for address in station.addresses()}
    assert names >= {"the home alice", "the workstation alice", "the launch template of the workstation alice"}


def test_a_reference_in_a_text_is_told_in_its_place() -> None:
    stacks = golden("train-trn1")
    sync = stacks.properties(Address("train-trn1-storage", "Sync"))
    assert describe(stacks, sync["DataRepositoryPath"]) == "s3://(the checkpoint bucket)/checkpoints/"


def test_an_edit_of_the_network_is_one_error_that_begins_with_the_edit(deployed: Stacks, new: Stacks) -> None:
    new["net"]["Resources"]["Vpc"]["Properties"]["CidrBlock"] = "10.40.0.0/16"
    first = next(f for f in diff_templates(deployed, new, CATALOG).findings if f.id == "E9001")
    assert first.message.startswith(
        "network.cidr is 10.40.0.0/16, and what is deployed has 10.20.0.0/16: the Lustre file system holds data"
    )
    assert (
        "From the same edit follow: E9008 (the node group trn1-11111111), E9005 (the subnet of usw2-az4, "
        in first.message
    )


def test_a_group_on_reserved_capacity_follows_from_the_edit_of_its_subnets(deployed: Stacks, new: Stacks) -> None:
    for state, name in ((deployed, "trn1-11111111"), (new, "trn1-22222222")):
        state["cluster"]["Resources"]["Nodes"]["Properties"] |= {
            "CapacityType": "CAPACITY_BLOCK",
            "NodegroupName": name,
            "Labels": {"neuron-cluster/node-group": "trn1"},
        }
    new["net"]["Resources"]["Vpc"]["Properties"]["CidrBlock"] = "10.40.0.0/16"
    (error,) = diff_templates(deployed, new, CATALOG).findings
    assert "E9007 (the node group trn1)" in error.message
    del new["net"]
    ids = {
        finding.id
        for finding in diff_templates({"cluster": deployed["cluster"]}, {"cluster": new["cluster"]}, CATALOG).findings
    }
    assert ids == {"E9007"}, "alone it is an error of its own"


def test_a_key_that_goes_with_its_data_is_folded_into_it(deployed: Stacks, new: Stacks) -> None:
    del new["storage"]
    found = diff_templates(deployed, new, CATALOG).findings
    assert [finding.location.path for finding in found] == ["Bucket", "Lustre"]
    assert 'E9002 (the KMS key "data")' in found[0].message
