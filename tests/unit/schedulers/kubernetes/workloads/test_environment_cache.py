"""The compile cache of the environment in the values of the charts that read or fill it."""

from __future__ import annotations

from typing import Any

import pytest
from hint_commands import command_error, commands_in

from local_kubernetes.model.chart_values import merged
from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.schedulers.kubernetes.workloads.recipes.neuron_training import NEURON_TRAINING
from tests.unit.schedulers.kubernetes.conftest import Choose

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


BUCKET = "serve-trn2-storage-checkpoints620e2f20-abcdefghijkl"


def weights(prefix: str) -> dict[str, Any]:
    return {"weights": {"source": "s3", "url": f"s3://{BUCKET}/{prefix}", "sizeGib": 150}}


@pytest.mark.parametrize("wish", [{}, {"bucket": BUCKET}])
def test_the_warmer_compiles_models_of_its_namespace_into_the_cache(choose: Choose, wish: dict[str, Any]) -> None:
    """The shipped environment has a group for it, with memory and disk for a large model."""
    chosen = choose("compile-cache-warmer", "serve-trn2", given=weights("teams/serving/m"), **wish)
    assert chosen.values["compileCache"] == ADDRESS
    assert chosen.values["serviceAccount"] == {"create": False, "name": "compile-cache-writer"}
    assert chosen.values["machine"]["nodeGroup"] == "compile"
    assert {each.id for each in chosen.findings}.isdisjoint({"W9279", "W9280", "W9282"})


def test_the_warmer_has_no_account_for_models_of_others(choose: Choose) -> None:
    for prefix in ("teams/other/m", "models/m"):
        with pytest.raises(InvalidEnvironment) as rejected:
            choose("compile-cache-warmer", "serve-trn2", given=weights(prefix))
        errors = [each for each in rejected.value.findings if each.id.startswith("E")]
        assert [(each.id, each.location.path) for each in errors] == [("E9212", "compileCache")]


def test_an_account_that_cannot_write_to_the_cache_is_a_finding(choose: Choose) -> None:
    given = {**weights("teams/serving/m"), "serviceAccount": {"create": False, "name": "store"}}
    (found,) = [e for e in choose("compile-cache-warmer", "serve-trn2", given=given).findings if e.id == "W9279"]
    assert "serving/store does not allow its pods to write to it" in found.message


UNKNOWN = [{"name": "g", "kind": "vllm", "model": "of-mine", "args": []}]
"""Graphs of a model that the catalog lacks: no finding states the memory of the model itself."""
Case = tuple[str, dict[str, Any], dict[str, Any]]
FILL: dict[str, Case] = {
    # finding: chart, given that has it, given as the hint says
    "W9280": ("compile-cache-warmer",
              {"compileCache": {"url": f"s3://{BUCKET}/teams/serving/compile-cache"}}, {}),
    "W9281": ("neuron-serving", {"precompiled": {"required": True}, "serviceAccount": {"name": "server"}},
              {"precompiled": {"required": False}, "serviceAccount": {"name": "server"}}),
    "W9282": ("compile-cache-warmer", {"machine": {"memoryGib": 63}, "graphs": UNKNOWN},
              {"machine": {"memoryGib": 64}, "graphs": UNKNOWN}),
}  # fmt: skip


@pytest.mark.hints("W9280", "W9281", "W9282")
@pytest.mark.parametrize("finding_id", FILL)
def test_what_never_fills_a_cache_or_depends_on_it_is_a_finding(finding_id: str, choose: Choose) -> None:
    chart, bad, good = FILL[finding_id]
    for given, count in ((bad, 1), (good, 0)):
        found = choose(chart, "serve-trn2", given={**weights("teams/serving/m"), **given}).findings
        assert len([each for each in found if each.id == finding_id]) == count, found
        assert not [each for each in found if each.id.startswith("E")]
        assert all(not command_error(line) for each in found for line in commands_in(each.hint))


def test_small_cpu_nodes_are_said(choose: Choose) -> None:
    for graphs, expected in (({"graphs": UNKNOWN}, "W9282"), ({}, "W9298")):
        chosen = choose("compile-cache-warmer", "train-trn2", CACHE, given={**WEIGHTS, **graphs})
        assert [each.id for each in chosen.findings if each.location.path == "machine.memoryGib"] == [expected]
