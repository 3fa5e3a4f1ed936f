"""An argument that contradicts a value of a server chart is refused, with the value that holds the setting."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from local_kubernetes.model.chart_values import merged, value_at
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.finding import Finding
from neuron_cluster.kube.cluster_tools import helm_of
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.schedulers.kubernetes.workloads.rendering import render_workload
from neuron_cluster.sizing.program_options import option_of, options_in
from tests.every_case import every_case
from tests.unit.schedulers.kubernetes.conftest import CHARTS, Choose

Overridden = Callable[..., list[Finding]]
EXAMPLES = sorted(
    each for chart in ("neuron-serving", "batch-inference") for each in (CHARTS / chart / "examples").glob("*.yaml")
)


@pytest.fixture
def overridden(choose: Choose, cached_plan: Callable[..., ClusterPlan], catalog: Catalog) -> Overridden:
    """E9250 of a chart on train-trn2, or of vllm_nxd on train-trn1."""

    def found(*arguments: str, chart: str = "neuron-serving", name: str = "train-trn2", **given: Any) -> list[Finding]:
        cluster = cached_plan(name).kubernetes
        assert cluster is not None
        values = merged({"model": {"name": "mine", "extraArgs": list(arguments)}}, given)
        claim = {} if chart == "neuron-serving" else {"front_end": "vllm"}
        chosen = choose(chart, name, given=values, claim="lustre", **(claim if name == "train-trn2" else {}))
        helm = helm_of(cluster, catalog, Path(CHARTS.parent))
        rendered = render_workload(chosen, cluster, helm, catalog, release="server", namespace="default")
        return [each for each in rendered.findings if each.id == "E9250"]

    return found


@every_case(
    "arguments, key",
    [
        (["--tensor-parallel-size=4"], "model.tensorParallelSize"),
        (["--tensor-parallel-size", "4"], "model.tensorParallelSize"),
        (["--tensor_parallel_size=4"], "model.tensorParallelSize"),
        (["--tensor-parallel=4"], "model.tensorParallelSize"),
        (["-tp", "4"], "model.tensorParallelSize"),
        (["-tp=4"], "model.tensorParallelSize"),
        (["--max-model-len", "2048"], "model.maxModelLen"),
        (["--max-num-seqs=2"], "model.maxNumSeqs"),
        (["--max-num-batched-tokens=512"], "model.maxNumBatchedTokens"),
        (["--data-parallel-size=2"], "model.dataParallelSize"),
        (["-dp", "2"], "model.dataParallelSize"),
        (["--block-size=32"], "model.blockSize"),
        (["--additional-config={}"], "model.additionalConfig"),
        (["--additional-config.neuron_config.ep_degree=2"], "model.additionalConfig"),
        (["--served-model-name=other"], "model.name"),
        (["--port=9000"], "service.port"),
        (["--shutdown-timeout=1"], "drain.requestSeconds"),
        (["--model=/elsewhere"], "weights.path"),
        (["--model", "/elsewhere"], "weights.path"),
    ],
)
@pytest.mark.hints("E9250")
def test_an_argument_that_contradicts_a_value_names_the_value(
    arguments: list[str], key: str, overridden: Overridden
) -> None:
    (found,) = overridden("--seed=1", *arguments)
    assert (found.location.path, found.hint) == ("model.extraArgs", f"set {key} instead")
    assert found.message.startswith(" ".join(arguments))
    assert overridden("--seed=1") == []


def test_the_message_has_both_numbers(overridden: Overridden) -> None:
    (found,) = overridden("--tensor-parallel-size=4")
    assert "wins over --tensor-parallel-size=64, which the chart writes" in found.message
    (later,) = overridden("--block-size=32")
    assert "every check counts with the default of model.blockSize" in later.message


@every_case(
    "arguments",
    [
        ["--tensor-parallel-size=64"],
        ["--enable-prefix-caching", "--optimization-level=2"],
        ["--no-enable-prefix-caching"],
        ["--data-parallel-size-local=1"],
        ["--model-impl=auto"],
        ["--gpu-memory-utilization", "0.5"],
        ["-O2"],
    ],
)
def test_an_argument_without_a_value_of_the_chart_is_passed_on(arguments: list[str], overridden: Overridden) -> None:
    assert overridden(*arguments) == []


def test_the_value_of_the_hint_is_what_runs(overridden: Overridden) -> None:
    assert overridden("--max-model-len=2048")
    assert overridden(model={"maxModelLen": 2048}) == []


@pytest.mark.parametrize("chart", ["neuron-serving", "batch-inference"])
def test_both_server_charts_are_checked_with_either_engine(chart: str, overridden: Overridden) -> None:
    for name in ("train-trn2", "train-trn1"):
        (found,) = overridden("--max-num-seqs=3", chart=chart, name=name)
        assert found.hint == "set model.maxNumSeqs instead"


def test_an_option_without_a_value_is_left_to_the_chart(overridden: Overridden) -> None:
    (found,) = overridden("--host=0.0.0.0", chart="batch-inference")
    assert "wins over --host=127.0.0.1" in found.message
    assert found.hint == "leave it out of model.extraArgs: the chart decides it"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: f"{each.parents[1].name}-{each.stem}")
def test_no_example_contradicts_its_chart(example: Path, overridden: Overridden) -> None:
    """Only what the arguments of the examples say: their machines are of other environments."""
    arguments = value_at(yaml.safe_load(example.read_text()), "model.extraArgs") or []
    assert overridden(*arguments) == []


@every_case(
    "arguments, expected",
    [
        (["--seed", "1", "--seed=2"], "2"),
        (["--max_model_len=5"], None),
        (["--se_ed=5"], None),
        (["--seed"], ""),
        (["--seed", "--other"], ""),
    ],
)
def test_the_last_option_counts(arguments: list[str], expected: str | None) -> None:
    assert option_of(arguments, "--seed") == expected


def test_the_words_of_an_option_are_kept() -> None:
    found = list(options_in(["a", "-tp", "4", "--x.y=1", "-1"], {"-tp": "--tensor"}))
    assert [(each.name, each.text, each.value) for each in found] == [
        ("--tensor", "-tp 4", "4"),
        ("--x", "--x.y=1", "y=1"),
    ]
