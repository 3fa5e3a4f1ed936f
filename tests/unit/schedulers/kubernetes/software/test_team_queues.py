"""Each team has a ClusterQueue of its own with its quota, in the cohort of the queue."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from local_kubernetes.model.names import EFA, NEURON
from neuron_cluster.schedulers.kubernetes import manifest_rules
from tests.five_teams import FIVE, NAMES, team, with_teams

PlanOf = Callable[..., Any]
SCHEMAS = Path(manifest_rules.__file__).parent / "schemas"


def _queues(plan: Any) -> dict[str, Mapping[str, Any]]:
    objects = (each for manifest in plan.kubernetes.manifests for each in manifest.objects)
    return {each["metadata"]["name"]: each["spec"] for each in objects if each["kind"] == "ClusterQueue"}


def _resource(spec: Mapping[str, Any], name: str = NEURON) -> Mapping[str, Any]:
    ((flavor,),) = [group["flavors"] for group in spec["resourceGroups"]]
    (found,) = [each for each in flavor["resources"] if each["name"] == name]
    return found


def test_teams_share_the_devices_of_the_group_and_the_queue_has_what_is_left(plan_of: PlanOf) -> None:
    queues = _queues(plan_of("train-trn1", with_teams()))
    assert list(queues) == ["training", *(f"{name}-training" for name in NAMES)]
    assert {name: _resource(spec)["nominalQuota"] for name, spec in queues.items()} == {
        "training": 256 - 5 * 32,
        **{f"{name}-training": 32 for name in NAMES},
    }
    # 8 interfaces on each of 16 nodes; 32 of 256 devices are those of two nodes.
    assert _resource(queues["research-training"], EFA)["nominalQuota"] == 16
    assert _resource(queues["training"], EFA)["nominalQuota"] == 16 * 8 - 5 * 16


def test_every_queue_is_in_the_cohort_and_takes_its_own_devices_back(plan_of: PlanOf) -> None:
    for spec in _queues(plan_of("train-trn1", with_teams())).values():
        assert spec["cohortName"] == "training"
        assert spec["preemption"] == {"withinClusterQueue": "LowerPriority", "reclaimWithinCohort": "Any"}


def test_a_queue_without_teams_has_neither_cohort_nor_reclaim(plan_of: PlanOf) -> None:
    (spec,) = _queues(plan_of("train-trn1", {"eks.node_groups.1.queue": "training"})).values()
    assert "cohortName" not in spec
    assert spec["preemption"] == {"withinClusterQueue": "LowerPriority"}


def test_a_queue_admits_the_namespaces_of_its_team_alone(plan_of: PlanOf) -> None:
    queues = _queues(plan_of("train-trn1", with_teams()))
    admitted = {name: spec["namespaceSelector"]["matchExpressions"][0]["values"] for name, spec in queues.items()}
    assert admitted == {"training": ["default"], **{f"{name}-training": [name] for name in NAMES}}


def test_a_queue_whose_namespaces_all_belong_to_teams_admits_no_job_itself(plan_of: PlanOf) -> None:
    """Kubernetes rejects ``In`` without values; Kueue takes no selector for none."""
    other = {"name": "serve", "instance_type": "trn1.2xlarge", "count": {"desired": 1, "max": 1}, "queue": "serving"}
    edits = {"eks.node_groups.2": other, "eks.namespaces": [{"name": "default", "queue": "serving"}]}
    queues = _queues(plan_of("train-trn1", with_teams(**edits)))
    assert "namespaceSelector" not in queues["training"]


@pytest.mark.parametrize(
    ("desired", "nominal", "borrowing", "lending"), [(16, 40, 20, 10), (8, 20, 10, 5), (1, 2, 1, 0), (0, 0, 0, 0)]
)
def test_fewer_nodes_are_the_same_fraction_of_a_quota_rounded_down(
    plan_of: PlanOf, desired: int, nominal: int, borrowing: int, lending: int
) -> None:
    quota = [{"node_group": "trn1", "devices": 40, "borrow": 20, "lend": 10}]
    edits = {"eks.node_groups.1.count": {"min": 0, "desired": desired, "max": 16}}
    spec = _queues(plan_of("train-trn1", with_teams([team("research", quota=quota)], **edits)))["research-training"]
    assert dict(_resource(spec)) == {
        "name": NEURON,
        "nominalQuota": nominal,
        "borrowingLimit": borrowing,
        "lendingLimit": lending,
    }


def test_a_team_without_a_quota_borrows_without_a_limit(plan_of: PlanOf) -> None:
    queues = _queues(plan_of("train-trn1", with_teams([team("research", quota=[], weight=3)])))
    assert dict(_resource(queues["research-training"])) == {"name": NEURON, "nominalQuota": 0}
    assert queues["research-training"]["fairSharing"] == {"weight": "3"}


def test_kueue_shares_idle_devices_by_weight_only_where_there_are_teams(plan_of: PlanOf) -> None:
    def configuration(edits: Mapping[str, Any]) -> Any:
        (chart,) = [each for each in plan_of("train-trn1", edits).kubernetes.charts if each.release == "kueue"]
        return json.loads(chart.values["managerConfig"]["controllerManagerConfigYaml"])

    assert configuration(with_teams())["fairSharing"] == {
        "preemptionStrategies": ["LessThanOrEqualToFinalShare", "LessThanInitialShare"]
    }
    assert "fairSharing" not in configuration({"eks.node_groups.1.queue": "training"})


def test_jobs_of_every_team_name_the_queue_of_the_nodes(plan_of: PlanOf) -> None:
    plan = plan_of("train-trn1", with_teams())
    objects = (each for manifest in plan.kubernetes.manifests for each in manifest.objects)
    doors = {
        each["metadata"]["namespace"]: (each["metadata"]["name"], each["spec"]["clusterQueue"])
        for each in objects
        if each["kind"] == "LocalQueue"
    }
    assert doors["speech"] == ("training", "speech-training")
    assert doors["default"] == ("training", "training")


def test_every_queue_is_one_that_kueue_accepts(plan_of: PlanOf) -> None:
    quota = [{"node_group": "trn1", "devices": 40, "borrow": 20, "lend": 10}]
    plan = plan_of("train-trn1", with_teams([*FIVE, team("other", quota=quota)]))
    schema = json.loads((SCHEMAS / "kueue.x-k8s.io_v1beta2_ClusterQueue.json").read_text())
    found = [each for manifest in plan.kubernetes.manifests for each in manifest.objects]
    for each in (one for one in found if one["kind"] == "ClusterQueue"):
        jsonschema.validate(dict(each), schema)


def test_kueue_reports_the_devices_of_queues_where_there_are_teams(plan_of: PlanOf) -> None:
    def metrics(edits: Mapping[str, Any]) -> Mapping[str, Any]:
        charts = plan_of("train-trn1", dict(edits)).kubernetes.charts
        (text,) = [
            each.values["managerConfig"]["controllerManagerConfigYaml"] for each in charts if each.release == "kueue"
        ]
        return dict(json.loads(text)["metrics"])

    assert metrics(with_teams())["enableClusterQueueResources"] is True
    assert "enableClusterQueueResources" not in metrics({"eks.node_groups.1.queue": "training"})
