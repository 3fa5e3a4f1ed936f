"""The compile cache of the environment in the values of the charts that read or fill it."""

from __future__ import annotations

from typing import Any

import pytest

from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.kubernetes.chart_values import merged
from neuron_cluster.workloads.recipes.neuron_training import NEURON_TRAINING

from .conftest import Choose

CACHE = {"storage.compile_cache": {}, "storage.checkpoint_bucket": {}, "eks.addons.jobset": True}
TEAMS = CACHE | {"eks.namespaces": [{"name": "default"}, {"name": "team"}]}
ADDRESS = {"url": "$(COMPILE_CACHE_URL)", "claim": "", "configMap": "compile-cache"}
IN_S3 = {"weights": {"source": "s3", "url": "s3://models/llama", "sizeGib": 150}}
WEIGHTS = {"weights": {"source": "claim", "claim": "models"}}


def test_a_training_reads_copies_of_the_graphs_of_its_compiler(choose: Choose) -> None:
    """Its checkpoints are in the claim."""
    chosen = choose("neuron-training", "train-trn1", CACHE, claim="lustre")
    folder = "neuronx-cc-2.27.5334.0/trn1/lnc-default"
    assert chosen.values["compileCache"] == ADDRESS | {"subfolder": folder}
    assert chosen.values["serviceAccount"] == {"create": False, "name": "compile-cache-reader"}
    assert chosen.values["checkpoints"]["claim"] == "lustre"
    assert "W9215" not in {finding.id for finding in chosen.findings}


@pytest.mark.parametrize(
    ("chart", "given", "account"),
    [
        ("neuron-serving", WEIGHTS, "compile-cache-reader"),
        ("batch-inference", {**WEIGHTS, "data": {"claim": "requests"}}, "compile-cache-reader"),
        ("compile-cache-warmer", WEIGHTS, "compile-cache-writer"),
    ],
)
def test_vllm_reads_a_copy_and_the_warmer_alone_writes(
    choose: Choose, chart: str, given: dict[str, Any], account: str
) -> None:
    values = choose(chart, "train-trn2", CACHE, given=given).values
    assert values["compileCache"] == ADDRESS
    assert values["serviceAccount"] == {"create": False, "name": account}


def test_the_warmer_of_another_namespace_has_no_cache_to_write(choose: Choose) -> None:
    with pytest.raises(InvalidEnvironment) as refused:
        choose("compile-cache-warmer", "train-trn2", TEAMS, given=WEIGHTS, namespace="team")
    (finding,) = [each for each in refused.value.findings if each.id == "E9212"]
    assert finding.location.path == "compileCache"
    assert "`storage.compile_cache` is used in default (--namespace)" in finding.hint
    reader = choose("neuron-serving", "train-trn2", TEAMS, given=WEIGHTS, namespace="team")
    assert reader.values["compileCache"] == ADDRESS


@pytest.mark.parametrize(
    "wish",
    [
        {"bucket": "of-mine"},
        {"given": {**WEIGHTS, "compileCache": {"claim": "graphs"}}},
        {"given": IN_S3},
    ],
)
def test_what_the_user_names_wins_and_other_data_in_s3_needs_an_account_of_its_own(
    choose: Choose, wish: dict[str, Any]
) -> None:
    """The account of the cache reads nothing else."""
    values = choose("neuron-serving", "train-trn2", CACHE, **({"given": WEIGHTS} | wish)).values
    assert "configMap" not in values["compileCache"]
    assert "serviceAccount" not in values


def test_an_account_that_reads_both_is_kept(choose: Choose) -> None:
    given = {
        "weights": {"source": "s3", "url": "s3://models/llama", "sizeGib": 150},
        "serviceAccount": {"name": "mine"},
    }
    values = choose("neuron-serving", "train-trn2", CACHE, given=given).values
    assert values["compileCache"] == ADDRESS
    assert values["serviceAccount"] == {"create": False, "name": "mine"}


@pytest.mark.parametrize(("given", "is_kept"), [({}, False), ({"compileCache": {"url": "s3://mine/graphs"}}, True)])
def test_a_job_keeps_no_graphs_in_the_cache_of_the_environment(
    choose: Choose, given: dict[str, Any], is_kept: bool
) -> None:
    """It reads a copy: a graph that the cache lacks is compiled at each start."""
    chosen = choose("neuron-training", "train-trn1", CACHE, claim="lustre", given=given)
    assert NEURON_TRAINING.start(merged(chosen.chart.defaults, chosen.values)).keeps_graphs is is_kept
