"""Changes of workstations are shown by their names, among the nodes."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.summary.template_diff import diff_templates

Stacks = dict[str, dict[str, Any]]
WITH_HOME = {"Fn::Base64": "attach-home vol-1"}


def workstations() -> dict[str, Any]:
    template = {"LaunchTemplateId": {"Ref": "Template"}, "Version": {"Fn::GetAtt": ["Template", "LatestVersionNumber"]}}
    tags = [{"Key": "neuron-cluster:workstation", "Value": "alice"}]
    return {
        "Resources": {
            "Template": {
                "Type": "AWS::EC2::LaunchTemplate",
                "Properties": {"LaunchTemplateData": {"InstanceType": "trn1.2xlarge", "UserData": "aWRsZSAxMjA="}},
            },
            "Machine": {"Type": "AWS::EC2::Instance", "Properties": {"LaunchTemplate": template, "Tags": tags}},
        }
    }


def nodes(before: Stacks, after: Stacks) -> list[tuple[str, str, str]]:
    return [
        (change.group, change.kind.value, change.what) for change in diff_templates(before, after, load_catalog()).nodes
    ]


@pytest.mark.parametrize(("key", "value"), [("InstanceType", "inf2.xlarge"), ("UserData", "aWRsZSA2MA==")])
def test_a_machine_is_replaced_by_what_changes_in_its_template(key: str, value: str) -> None:
    new = workstations()
    new["Resources"]["Template"]["Properties"]["LaunchTemplateData"][key] = value
    ((name, kind, what),) = nodes({"w": workstations()}, {"w": new})
    assert (name, kind) == ("workstation alice", "replaced")
    assert f"LaunchTemplateData/{key}: " in what
    assert what.endswith(f" -> {value}")


@pytest.mark.parametrize(
    ("before", "after", "what"),
    [
        (WITH_HOME, {"Fn::Base64": "attach-home vol-2"}, "its home moves over"),
        (WITH_HOME, {"Fn::Base64": "idle 60"}, "with all that is on it"),
        ({"Fn::Base64": "idle 60"}, {"Fn::Base64": "idle 30"}, "with all that is on it"),
    ],
)
def test_only_a_home_outlives_a_replaced_machine(before: Any, after: Any, what: str) -> None:
    old, new = workstations(), workstations()
    for stack, data in ((old, before), (new, after)):
        stack["Resources"]["Template"]["Properties"]["LaunchTemplateData"]["UserData"] = data
    ((_, kind, reported),) = nodes({"w": old}, {"w": new})
    assert kind == "replaced"
    assert reported.startswith(f"a new instance starts, the old one is terminated, {what}, because of ")


def test_a_tag_changes_in_place() -> None:
    new = workstations()
    new["Resources"]["Machine"]["Properties"]["Tags"].append({"Key": "neuron-cluster:team", "Value": "a"})
    ((name, kind, _),) = nodes({"w": workstations()}, {"w": new})
    assert (name, kind) == ("workstation alice", "changed in place")


def test_machines_come_and_go() -> None:
    both = copy.deepcopy(workstations())
    both["Resources"]["Second"] = copy.deepcopy(both["Resources"]["Machine"])
    both["Resources"]["Second"]["Properties"]["Tags"][0]["Value"] = "bob"
    assert nodes({"w": workstations()}, {"w": both}) == [("workstation bob", "added", "trn1.2xlarge")]
    assert nodes({"w": both}, {"w": workstations()}) == [("workstation bob", "removed", "and all that is on it")]
    for stack in (both, homes := workstations()):
        stack["Resources"]["Template"]["Properties"]["LaunchTemplateData"]["UserData"] = WITH_HOME
    assert nodes({"w": both}, {"w": homes}) == [("workstation bob", "removed", "its home stays")]
    left = nodes({"w": workstations(), "n": {"Resources": {}}}, {"n": {"Resources": {}}})
    assert [each[:2] for each in left] == [("workstation alice", "removed")]
    assert nodes({"w": both}, {"w": both}) == []
