"""A workload that cannot run is rejected with a finding that names the value, the reason and the way out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.schedulers.kubernetes.workloads.bundled_chart import bundled_chart
from tests.every_case import every_case
from tests.unit.schedulers.kubernetes.conftest import CHARTS, Choose


def inf2(name: str, instance_type: str, queue: str) -> dict[str, Any]:
    return {"name": name, "instance_type": instance_type, "count": {"min": 0, "desired": 0, "max": 2}, "queue": queue}


SYSTEM = {"name": "system", "instance_type": "m7i.xlarge", "count": {"min": 2, "desired": 2, "max": 4}}
A_SECOND_GROUP = {"eks.node_groups": [SYSTEM, inf2("left", "inf2.xlarge", "l"), inf2("right", "inf2.8xlarge", "right")]}
QUEUED = {"eks.node_groups.1.queue": "research"}


@every_case(
    "chart, environment, edits, wish, expected, path, text",
    [
        ("collectives-check", "train-trn2", None, {"nodes": 5}, "E9205", "nodes", "trn2 has at most 4"),
        ("collectives-check", "dev-inf2", None, {"nodes": 2}, "E9205", "nodes", "EFA"),
        ("neuron-serving", "train-trn2", None, {"given": {"nodesPerReplica": 9}}, "E9205", "nodesPerReplica",
         "9 nodes"),
        ("neuron-explorer", "train-trn2", None, {"nodes": 2}, "E9205", "--nodes", "one node"),
        ("neuron-training", "train-trn2", {"eks.addons": {"efa_device_plugin": False}}, {"nodes": 2}, "E9205", "nodes",
         "efa_device_plugin: true"),
        ("collectives-check", "train-trn2", None, {"group": "trn"}, "E9202", "--group", "did you mean trn2?"),
        ("collectives-check", "train-trn2", None, {"group": "system"}, "E9202", "--group", "no Neuron devices"),
        ("collectives-check", "dev-inf2", A_SECOND_GROUP, {}, "E9203", "--group", "--group left"),
        ("collectives-check", "dev-inf2", A_SECOND_GROUP, {"queue": "right", "group": "left"}, "E9206", "queue.name",
         "belongs to right"),
        ("collectives-check", "train-trn2", QUEUED, {"queue": "reserch"}, "E9206", "queue.name",
         "did you mean research?"),
        ("collectives-check", "train-trn2", {**QUEUED, "eks.addons": {"kueue": False}}, {"queue": "research"}, "E9206",
         "queue.name", "no Kueue"),
        ("neuron-serving", "train-trn1", None, {"front_end": "vllm"}, "E9207", "--front-end", "vllm_nxd"),
        ("neuron-training", "train-trn1", None, {"front_end": "torchtitan"}, "E9207", "--front-end", "jax, nxd"),
        ("neuron-training", "train-trn2", None, {"front_end": "torchtitan"}, "E9207", "image.repository",
         "no public image"),
        ("neuron-training", "train-trn2", None, {"front_end": "tensorflow"}, "E9207", "--front-end", "torchtitan"),
        ("neuron-serving", "train-trn2", None, {"given": {"engine": "nxd"}}, "E9207", "--front-end", "vllm, vllm_nxd"),
        ("neuron-serving", "train-trn2", None, {"bucket": "runs"}, "E9212", "weights", "--claim"),
        ("collectives-check", "train-trn2", None, {"claim": "lustre"}, "E9221", "--claim", "stores nothing"),
        ("collectives-check", "train-trn2", None, {"bucket": "runs"}, "E9221", "--bucket", "leave --bucket out"),
        ("neuron-training", "train-trn2", None, {"bucket": "b1"}, "E9213", "--bucket", "3 to 63 lower-case letters"),
        ("neuron-training", "train-trn2", None, {"bucket": "s3://runs"}, "E9213", "--bucket", "without s3://"),
        ("neuron-explorer", "train-trn2", None, {}, "E9212", "profiles", "CheckpointBucket"),
        ("collectives-check", "dev-inf2", {"eks.node_groups": [SYSTEM]}, {}, "E9202",
         "--group", "no node group with Neuron devices"),
        ("neuron-training", "dev-inf2", {"eks.addons": {"neuron_device_plugin": False}}, {}, "E9204",
         "eks.addons.neuron_device_plugin", "no component allocates"),
        ("neuron-training", "train-trn2u", None, {"given": {"machine": {"deviceManagement": "devicePlugin"}}}, "E9204",
         "machine.deviceManagement", "the DRA driver allocates"),
        ("neuron-training", "train-trn2", None, {"given": {"machine": {"deviceManagement": "dra"}}}, "E9204",
         "machine.deviceManagement", "write devicePlugin"),
        ("neuron-training", "train-trn2", None, {"given": {"machine": {"neuronDevices": 1, "neuronCores": 99}}},
         "E9223", "machine.neuronCores", "99 logical NeuronCores requested, but 1 Neuron device"),
        ("neuron-training", "train-trn2", None, {"given": {"machine": {"logicalNcConfig": 1, "neuronCores": 64}}},
         "E9223", "machine.neuronCores", "have 128 at LNC 1"),
        ("neuron-training", "train-trn2", None, {"given": {"machine": {"logicalNcConfig": 3}}}, "E9223",
         "machine.logicalNcConfig", "write 1 or 2"),
        ("neuron-training", "train-trn2", None, {"given": {"ultraServer": {"size": 4}}}, "E9224", "ultraServer.size",
         "trn2.48xlarge is not part of one"),
        ("neuron-training", "train-trn1", None, {"given": {"ultraServer": {"size": 2}}}, "E9224", "ultraServer.size",
         "trn1.32xlarge is not part of one"),
        ("neuron-training", "train-trn2u", None, {"given": {"ultraServer": {"size": 3}}}, "E9224", "ultraServer.size",
         "write 2 or 4"),
    ],
)  # fmt: skip
def test_it_is_refused(
    chart: str,
    environment: str,
    edits: Mapping[str, Any] | None,
    wish: Mapping[str, Any],
    expected: str,
    path: str,
    text: str,
    choose: Choose,
) -> None:
    with pytest.raises(InvalidEnvironment) as refusal:
        choose(chart, environment, edits, **wish)
    found = [each for each in refusal.value.findings if (each.id, each.location.path) == (expected, path)]
    assert found, [f"{each.id} {each.location.path}" for each in refusal.value.findings]
    assert any(text in f"{each.message} {each.hint}" for each in found)
    assert all(each.location.file == f"charts/{chart}" for each in found)


def test_a_queue_or_a_group_says_which_of_several_groups(choose: Choose) -> None:
    assert choose("collectives-check", "dev-inf2", A_SECOND_GROUP, group="right").group.name == "right"


def test_an_image_of_ones_own_serves_a_front_end_without_a_public_one(choose: Choose) -> None:
    own = {
        "image": {"repository": "111122223333.dkr.ecr.us-east-2.amazonaws.com/titan", "tag": "1"},
        "trainer": {"program": ["-m", "torchtitan.train"]},
    }
    chosen = choose("neuron-training", "train-trn2", front_end="torchtitan", given=own, claim="c")
    assert chosen.values["frontEnd"] == "torchtitan"
    assert chosen.values["image"] == own["image"]


@pytest.mark.parametrize("name", ["neuron-srving", "", "..", "neuron-monitor"])
def test_an_unknown_chart_names_the_workloads(name: str) -> None:
    with pytest.raises(InvalidEnvironment) as refusal:
        bundled_chart(CHARTS, name)
    [found] = refusal.value.findings
    assert found.id == "E9201"
    assert "neuron-serving" in found.hint


def test_a_near_name_is_suggested() -> None:
    with pytest.raises(InvalidEnvironment) as refusal:
        bundled_chart(CHARTS, "neuron-srving")
    assert "did you mean neuron-serving" in refusal.value.findings[0].hint
