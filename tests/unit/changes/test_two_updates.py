"""EKS takes the version of a node group in an update of its own."""

from __future__ import annotations

from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.summary.template_diff import diff_templates
from neuron_cluster.changes.two_updates import first_update

CATALOG = load_catalog()

Stacks = dict[str, dict[str, Any]]


def group(stacks: Stacks) -> Any:
    return stacks["cluster"]["Resources"]["Nodes"]["Properties"]


@pytest.fixture(autouse=True)
def versions(deployed: Stacks, new: Stacks) -> None:
    group(deployed)["ReleaseVersion"] = "1.35.6-20260714"
    group(new)["ReleaseVersion"] = "1.35.6-20260814"


@pytest.mark.parametrize(
    "edit",
    [
        {"Labels": {"team": "a"}},
        {"Taints": [{"Key": "a", "Value": "b", "Effect": "NO_SCHEDULE"}]},
        {"ScalingConfig": {"MinSize": 1, "DesiredSize": 1, "MaxSize": 2}},
        {"ReleaseVersion": "1.35.6-20260814", "Version": "1.35", "Labels": {"team": "a"}},
    ],
)
def test_settings_come_first_and_the_version_second(edit: dict[str, Any], deployed: Stacks, new: Stacks) -> None:
    group(new).update(edit)
    first = first_update(deployed, new, CATALOG)
    assert [*first] == ["cluster"]
    expected = {**group(new), "ReleaseVersion": "1.35.6-20260714"}
    expected.pop("Version", None)
    assert group(first) == expected
    assert first_update({**deployed, **first}, new, CATALOG) == {}, "the second update changes the version alone"
    assert "in a second update" in " ".join(change.what for change in diff_templates(deployed, new, CATALOG).nodes)


def test_a_new_version_of_the_launch_template_comes_first_too(deployed: Stacks, new: Stacks) -> None:
    new["cluster"]["Resources"]["Template"]["Properties"]["LaunchTemplateData"]["InstanceType"] = "trn1n.32xlarge"
    first = first_update(deployed, new, CATALOG)
    assert first["cluster"]["Resources"]["Template"] == new["cluster"]["Resources"]["Template"]
    assert group(first)["ReleaseVersion"] == "1.35.6-20260714"


def test_a_version_alone_settings_alone_and_a_new_group_are_one_update(deployed: Stacks, new: Stacks) -> None:
    assert first_update(deployed, new, CATALOG) == {}
    group(new).update({"Labels": {"team": "a"}, "ReleaseVersion": "1.35.6-20260714"})
    assert first_update(deployed, new, CATALOG) == {}
    group(new).update({"NodegroupName": "other", "ReleaseVersion": "1.35.6-20260814"})
    assert first_update(deployed, new, CATALOG) == {}, "a replaced group is made anew"
    assert first_update({}, new, CATALOG) == {}
