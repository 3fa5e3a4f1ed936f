"""``recommend`` and ``workload render`` judge host memory by one comparison, and its hints lead to a pod that fits."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import Catalog, load_catalog
from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.kubernetes_nodes import kubernetes_nodes
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.evaluation import evaluate
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.software_pods import software_pods
from neuron_cluster.sizing.find_model import find_model
from neuron_cluster.sizing.model_shape import shape_of_file
from tests.unit.schedulers.kubernetes.conftest import CHARTS, Choose
from tests.unit.sizing.models import recommended

CATALOG = load_catalog()

IDS = ("E9297", "W9298")
GROUP, ZONES = "eks.node_groups.1", "network.availability_zones"
TYPE, ZONE, VOLUME = f"{GROUP}.instance_type", f"{GROUP}.availability_zone", f"{GROUP}.root_volume.size_gib"
PLACES = {
    "inf2": ("dev-inf2", {ZONES: ["usw2-az1", "usw2-az2"]}),
    "trn1": ("dev-inf2", {ZONES: ["usw2-az4", "usw2-az1"], ZONE: "usw2-az4", VOLUME: 512}),
    "trn2": ("dev-trn2", {}),
}
TYPES = ("inf2.xlarge", "inf2.8xlarge", "inf2.24xlarge", "trn1.2xlarge", "trn1.32xlarge", "trn2.3xlarge")
LAYERS = (4, 10, 11, 12, 13, 24, 26, 27, 28, 32, 120, 124, 130, 140, 420, 520, 530, 540, 550, 560, 600)
"""Layers of an 8B model: each has 0.8 GiB of host memory, so that every node of the types is nearly filled by one."""


@pytest.fixture
def config(tmp_path: Path) -> Any:
    def write(layers: int) -> Path:
        file = tmp_path / f"{layers}" / "config.json"
        file.parent.mkdir(exist_ok=True)
        fields = {
            "model_type": "llama",
            "hidden_size": 4096,
            "intermediate_size": 14336,
            "num_attention_heads": 32,
            "num_key_value_heads": 8,
            "num_hidden_layers": layers,
            "vocab_size": 128256,
            "max_position_embeddings": 131072,
            "torch_dtype": "bfloat16",
        }
        file.write_text(json.dumps(fields))
        return file

    return write


def of_host(choose: Choose, kind: str, config: Path, given: dict[str, Any], **options: Any) -> list[Finding]:
    """Findings about host memory of a server on a group of one type."""
    environment, edits = PLACES[kind.partition(".")[0]]
    options = {"front_end": None if kind.startswith("trn2") else "vllm_nxd", "claim": "models"} | options
    try:
        chosen = choose(
            "neuron-serving",
            environment,
            edits | {TYPE: kind},
            given=given,
            model=shape_of_file(config, CATALOG),
            **options,
        )
    except InvalidEnvironment as refusal:
        return [each for each in refusal.findings if each.id in IDS]
    memory = chosen.values["machine"]["memoryGib"]
    assert memory <= (chosen.node.memory_gib or 0), "E9210: the node has less"
    return [each for each in chosen.findings if each.id in IDS]


def follow(hint: str, kind: str) -> tuple[str, dict[str, Any]] | None:
    """The type and values that the hint names; None where it names none."""
    if share := re.search(r"set machine\.memoryGib=(\d+)", hint):
        return kind, {"machine": {"memoryGib": int(share[1])}}
    larger = re.search(r"a type with at least [\d,]+ GiB of memory, for example (\S+?)[, ]", hint)
    return (larger[1], {}) if larger else None


@pytest.mark.parametrize("kind", TYPES)
def test_recommend_and_render_agree_on_host_memory(kind: str, choose: Choose, config: Any) -> None:
    judged = set()
    for layers in LAYERS:
        file = config(layers)
        found = recommended(find_model(str(file), None, CATALOG), "serve", 2048, batch=1, instance_types=(kind,))
        of_misses = any("the host has" in reason for miss in found.misses for reason in miss.reasons)
        doubts = [doubt for choice in found.choices for doubt in choice.doubts if "the host has" in doubt]
        if not found.choices and not of_misses:
            continue  # the device memory of the type does not hold it
        ids = [each.id for each in of_host(choose, kind, file, {})]
        is_short = of_misses or any("may leave" not in doubt for doubt in doubts)
        assert ids or not is_short, f"recommend warns of {layers} layers on {kind}, render does not"
        assert of_misses or doubts or not ids, f"render has {ids} for {layers} layers on {kind}, recommend is silent"
        assert of_misses or "E9297" not in ids, f"render refuses {layers} layers on {kind}, recommend does not"
        judged.add(bool(ids))
    assert judged == {False, True}, kind


@pytest.mark.hints("E9297", "W9298")
@pytest.mark.parametrize("kind", TYPES)
def test_the_hint_about_host_memory_leads_to_a_pod_that_fits(kind: str, choose: Choose, config: Any) -> None:
    for layers in LAYERS:
        for finding in of_host(choose, kind, config(layers), {}):
            way = follow(finding.hint, kind)
            if way is None:
                assert "machine.memoryGib=" not in finding.hint
                assert "smaller weights" in finding.hint
            else:
                assert of_host(choose, way[0], config(layers), way[1]) == [], (kind, layers, finding)


def test_a_model_above_the_free_memory_of_a_node_needs_a_larger_type(choose: Choose, config: Any) -> None:
    """A trn1.2xlarge has 32 GiB, of which a pod gets 28; the model takes 30."""
    (short,) = of_host(choose, "trn1.2xlarge", config(28), {})
    assert (short.id, "30 GiB" in short.hint) == ("W9298", False)
    assert "the host of trn1.2xlarge has 32 GiB, 28 of them for a pod" in short.message
    assert "at least 512 GiB of memory, for example trn1.32xlarge" in short.hint


def test_daemon_sets_of_no_environment_request_more_than_recommend_assumes(cached_plan: Any, catalog: Catalog) -> None:
    most = catalog.limits["daemon_set_memory"].require_maximum() * 2**30
    for file in sorted((CHARTS.parent / "environments").glob("*.yaml")):
        plan = cached_plan(file.stem)
        software = [pod for _, pod in software_pods(plan, catalog, str(CHARTS.parent))] if plan.kubernetes else []
        nodes = kubernetes_nodes(plan, catalog) if plan.kubernetes else ()
        for node, free in zip(nodes, evaluate(plan, catalog, software).nodes, strict=True):
            requested = node.allocatable.get("memory", 0) - free.allocatable.get("memory", 0)
            assert requested <= most, f"{file.stem} {node.group}: {requested / 2**30:.2f} GiB"
