"""What an edit does to queues, priorities and namespaces of teams."""

from __future__ import annotations

import json
from typing import Any

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.kubernetes_objects import OBJECTS
from neuron_cluster.changes.summary.team_change import TeamChange, team_changes
from neuron_cluster.changes.summary.template_diff import diff_templates
from neuron_cluster.report.diff_page import access_lines, node_lines, team_lines


def queue(name: str, devices: int, efa: int, **further: Any) -> dict[str, Any]:
    amounts = [
        {"name": "aws.amazon.com/neuron", "nominalQuota": devices, **further},
        {"name": "vpc.amazonaws.com/efa", "nominalQuota": efa},
    ]
    spec = {"cohortName": "all", "resourceGroups": [{"flavors": [{"name": "trn2", "resources": amounts}]}]}
    return {"kind": "ClusterQueue", "metadata": {"name": name}, "spec": spec}


def changes(before: list[dict[str, Any]], after: list[dict[str, Any]]) -> list[TeamChange]:
    stacks = [
        {"a-software": {"Resources": {"Objects": {"Type": OBJECTS, "Properties": {"Manifest": json.dumps(objects)}}}}}
        for objects in (before, after)
    ]
    return team_changes(Comparison(*stacks))


def test_devices_that_move_from_one_team_to_another_are_named_with_both_amounts() -> None:
    before = [queue("vision", 64, 64), queue("language", 64, 64, borrowingLimit=16)]
    after = [queue("vision", 96, 64), queue("language", 32, 64, borrowingLimit=0)]
    assert changes(before, after) == [
        TeamChange("queue language: aws.amazon.com/neuron of trn2", "64", "32"),
        TeamChange("queue language: aws.amazon.com/neuron of trn2, most to borrow", "16", "0"),
        TeamChange("queue vision: aws.amazon.com/neuron of trn2", "64", "96"),
    ]
    assert changes(before, before) == []


def test_a_new_namespace_with_its_limits_queue_and_priority_is_named() -> None:
    new: list[dict[str, Any]] = [
        {"kind": "Namespace", "metadata": {"name": "vision"}},
        {
            "kind": "ResourceQuota",
            "metadata": {"name": "q", "namespace": "vision"},
            "spec": {"hard": {"requests.storage": "1Ti"}},
        },
        {
            "kind": "LocalQueue",
            "metadata": {"name": "train", "namespace": "vision"},
            "spec": {"clusterQueue": "vision"},
        },
        {"kind": "WorkloadPriorityClass", "metadata": {"name": "high"}, "value": 1000},
    ]
    assert changes([], new) == [
        TeamChange("namespace vision", "", "exists"),
        TeamChange("namespace vision: queue train", "", "of vision"),
        TeamChange("namespace vision: requests.storage", "", "1Ti"),
        TeamChange("priority high", "", "1000"),
    ]


def test_lines_of_a_diff_without_changes_speak_of_the_edit_only() -> None:
    """The templates are equal; nobody looked at the nodes, the endpoint or the queues."""
    found = diff_templates({}, {})
    assert node_lines(found) == access_lines(found) == (("all", "not changed by this edit"),)
    assert team_lines(found) == ()
