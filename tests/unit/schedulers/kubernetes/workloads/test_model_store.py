"""model-store runs on processors: of a CPU group, or of the Neuron group that is named."""

from __future__ import annotations

from typing import Any

import pytest

from local_kubernetes.model.scheduling.node import GIB
from neuron_cluster.errors import InvalidEnvironment
from tests.unit.schedulers.kubernetes.conftest import Choose

from .test_errors import A_SECOND_GROUP

BIG = {"name": "tools", "instance_type": "r7i.4xlarge", "count": {"min": 0, "desired": 1, "max": 1}}
A_CPU_GROUP = {"eks.node_groups.2": BIG}
CONSOLIDATE = {"job": "consolidate", "args": ["--convert_to_full"], "input": {"path": "runs/a"}}


def store(choose: Choose, environment: str, edits: Any = None, **wish: Any) -> dict[str, Any]:
    return dict(choose("model-store", environment, edits, claim="lustre", **wish).values)


def test_a_download_takes_little_of_a_cpu_node_and_is_in_no_queue(choose: Choose) -> None:
    """Queues count devices."""
    values = store(choose, "train-trn2", {"eks.node_groups.1.queue": "research"})
    assert (values["machine"]["nodeGroup"], values["machine"]["cpu"], values["machine"]["memoryGib"]) == (
        "system",
        "1",
        4,
    )
    assert values["queue"] == {"name": ""}
    assert values["store"] == {"url": "", "claim": "lustre", "folder": "checkpoints/default"}
    assert "jax-training" in values["image"]["repository"]


def test_a_tool_takes_the_node_and_the_image_that_has_it(choose: Choose) -> None:
    chosen = choose("model-store", "train-trn1", claim="lustre", given=CONSOLIDATE)
    machine, node = chosen.values["machine"], chosen.evaluation.node_of("system")
    assert machine["memoryGib"] > 8
    assert machine["memoryGib"] * GIB <= node.allocatable["memory"]
    assert "pytorch-training" in chosen.values["image"]["repository"]


def test_a_drill_takes_the_schedule_of_the_environment(choose: Choose) -> None:
    drill = {"job": "drill", "input": {"path": "llama"}}
    assert store(choose, "train-trn1", given=drill)["drill"]["schedule"] == "@weekly"
    assert store(choose, "train-trn1", {"storage.checkpoints.drill": None}, given=drill)["drill"]["schedule"] == ""
    assert store(choose, "train-trn1", given={**drill, "drill": {"schedule": ""}})["drill"]["schedule"] == ""


def test_a_cpu_group_can_be_named(choose: Choose) -> None:
    """The option or the value names it."""
    for wish in ({"group": "tools"}, {"given": {"machine": {"nodeGroup": "tools"}}}):
        machine = store(choose, "train-trn1", A_CPU_GROUP, **wish)["machine"]
        assert (machine["nodeGroup"], machine["instanceType"]) == ("tools", "r7i.4xlarge")


def test_a_neuron_group_can_be_named_for_its_processors(choose: Choose) -> None:
    values = store(choose, "train-trn1", group="trn1", given={**CONSOLIDATE, "machine": {"memoryGib": 300}})
    assert values["machine"]["nodeGroup"] == "trn1"
    assert values["machine"]["memoryGib"] == 300
    assert [each["key"] for each in values["tolerations"]] == ["aws.amazon.com/neuron"]
    assert "neuronDevices" not in values["machine"]


def test_several_neuron_groups_need_no_choice(choose: Choose) -> None:
    assert store(choose, "dev-inf2", A_SECOND_GROUP)["machine"]["nodeGroup"] == "system"


def test_nothing_has_to_allocate_devices(choose: Choose) -> None:
    edits = {"eks.addons": {"neuron_device_plugin": False}}
    assert store(choose, "dev-inf2", edits)["machine"]["nodeGroup"] == "system"


def test_a_bucket_is_a_prefix_of_it(choose: Choose) -> None:
    values = choose("model-store", "train-trn2", bucket="runs").values
    assert (values["store"]["url"], values["store"]["claim"]) == ("s3://runs/model-store", "")


def test_what_only_the_user_knows_is_asked_for(choose: Choose) -> None:
    for job, key in (("tokenize", "command"), ("convert", "args")):
        with pytest.raises(InvalidEnvironment) as refusal:
            store(choose, "train-trn1", given={"job": job})
        assert ("E9212", key) in {(found.id, found.location.path) for found in refusal.value.findings}


def test_a_proxy_is_a_way_to_the_hub(choose: Choose) -> None:
    private = {"network.nat": "none", "eks.image_cache": True}
    with pytest.raises(InvalidEnvironment) as refusal:
        store(choose, "dev-inf2", private)
    assert [found.id for found in refusal.value.findings] == ["E9254"]
    assert store(choose, "dev-inf2", private, given={"env": {"HTTPS_PROXY": "http://proxy.internal:3128"}})
