"""Changes of queues, priorities and namespaces of teams."""

from __future__ import annotations

import json
from typing import Any

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.kubernetes_objects import OBJECTS
from neuron_cluster.changes.summary.team_change import TeamChange, team_changes
from neuron_cluster.changes.summary.template_diff import diff_templates
from neuron_cluster.report.diff_page import access_lines, data_lines, node_lines, team_lines

CATALOG = load_catalog()


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
    return team_changes(Comparison(*stacks, catalog=CATALOG))


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


def lines(before: list[dict[str, Any]], after: list[dict[str, Any]], **of_resource: str) -> dict[str, str]:
    """Returns the lines of `diff` on teams."""
    stacks = [
        {
            "a-software": {
                "Resources": {
                    f"Object{position}": {"Type": OBJECTS, "Properties": {"Manifest": json.dumps([each])}} | of_resource
                    for position, each in enumerate(objects)
                }
            }
        }
        for objects in (before, after)
    ]
    return dict(team_lines(diff_templates(*stacks, catalog=CATALOG)))


def test_a_quota_that_shrinks_has_a_sentence_about_running_jobs() -> None:
    found = lines(
        [queue("vision", 64, 64), queue("language", 64, 64)], [queue("vision", 96, 64), queue("language", 32, 64)]
    )
    assert found["queue vision: aws.amazon.com/neuron of trn2"] == "64 -> 96 devices"
    assert found["queue language: aws.amazon.com/neuron of trn2"] == "64 -> 32 devices"
    assert found["smaller quotas"].startswith("language: running jobs beyond the new quota may be preempted")
    grown = lines([queue("vision", 64, 64, lendingLimit=9)], [queue("vision", 96, 64, lendingLimit=8)])
    assert "smaller quotas" not in grown, "the queue itself lends less"
    limited = lines([queue("vision", 64, 64)], [queue("vision", 64, 64, borrowingLimit=8)])
    assert "vision" in limited["smaller quotas"], "without a limit it borrowed all that was idle"


def test_a_queue_that_is_added_or_removed_has_one_line() -> None:
    found = lines([queue("vision", 64, 64)], [queue("audio", 16, 8)])
    assert found == {
        "queue audio": "added; aws.amazon.com/neuron of trn2: 16; cohort: all; vpc.amazonaws.com/efa of trn2: 8",
        "queue vision": "deleted; its jobs are stopped",
    }


def test_a_namespace_of_a_team_that_is_removed_stays_where_its_resource_is_retained() -> None:
    """Its objects keep running: `exists -> -` would be untrue."""
    team = [{"kind": "Namespace", "metadata": {"name": "vision"}}]
    limits = {"kind": "ResourceQuota", "metadata": {"name": "q", "namespace": "vision"}, "spec": {"hard": {"pods": 9}}}
    retained = lines([*team, limits], [], DeletionPolicy="Retain")
    assert retained["namespace vision"].startswith("stays in the cluster, with the objects in it")
    assert lines([*team, limits], [], DeletionPolicy="Delete") == {"namespace vision": "deleted"}


def test_a_limit_names_the_pods_that_it_counts() -> None:
    """`pods: 0` of pods of system classes forbids no other pod."""
    scope = {"matchExpressions": [{"scopeName": "PriorityClass", "operator": "In", "values": ["system-node-critical"]}]}
    quota = {"kind": "ResourceQuota", "metadata": {"name": "q", "namespace": "vision"}}
    before, after = ([{**quota, "spec": {"hard": {"pods": amount}, "scopeSelector": scope}}] for amount in ("2", "0"))
    found = lines(before, after)
    assert found["namespace vision: pods of PriorityClass system-node-critical"] == "2 -> 0"
    assert found["smaller limits"].startswith("vision: what runs beyond the new limit stays")


def test_the_weight_of_a_team_is_named() -> None:
    heavy, light = ({**queue("vision", 64, 64), "spec": {"fairSharing": {"weight": weight}}} for weight in ("2", "1"))
    assert lines([heavy], [light]) == {"queue vision: weight": "2 -> 1"}


def test_lines_of_a_diff_without_changes_speak_of_the_edit_only() -> None:
    """The templates are equal; nobody looked at the nodes, the endpoint or the queues."""
    found = diff_templates({}, {}, CATALOG)
    assert node_lines(found) == access_lines(found) == (("all", "not changed by this edit"),)
    assert team_lines(found) == ()
    assert data_lines(found) == (("none", "no resource of the templates holds data"),)
