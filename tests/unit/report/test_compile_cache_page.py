"""The compile cache as a table, and what a cleaning says."""

from __future__ import annotations

from datetime import UTC, datetime

from neuron_cluster.aws.s3 import S3Object
from neuron_cluster.compile_cache.cleaning import cleaning
from neuron_cluster.compile_cache.compilers_in_use import CompilersInUse
from neuron_cluster.compile_cache.contents import contents
from neuron_cluster.compile_cache.fillers import CacheFiller
from neuron_cluster.plan.compile_cache_plan import CompileCachePlan, CompiledFor
from neuron_cluster.report.compile_cache_page import cache_lines, cache_table, cleaning_lines, missing_lines, notes

PREFIX, THEN, NOW = "compile-cache/", datetime(2026, 11, 1, tzinfo=UTC), datetime(2026, 11, 26, tzinfo=UTC)
IN_USE = CompilersInUse({"2.27.5334.0": ("train-trn1",)}, {})
KEYS = {
    "neuronx-cc-2.27.5334.0/trn1/lnc-default/x/MODULE_1/model.log": 1_500_000,
    "neuronx-cc-2.25.3371.0/trn1/lnc-default/x/MODULE_1/model.neff": 2_500_000_000,
    "stray": 10,
}
FILLERS = (CacheFiller("warmer"), CacheFiller("warm-job", "--run FILE"))
FOLDERS = contents((S3Object(PREFIX + key, size, THEN) for key, size in KEYS.items()), PREFIX)


def test_a_row_for_each_folder() -> None:
    assert cache_table(FOLDERS, IN_USE, "s3://b/compile-cache/").rows == (
        ("(no folder)", "-", "0", "0.0 MB", "0", "0", "-"),
        ("neuronx-cc-2.25.3371.0", "2.25.3371.0", "1", "2.5 GB", "0", "0", "-"),
        ("neuronx-cc-2.27.5334.0", "2.27.5334.0", "1", "1.5 MB", "1", "0", "train-trn1"),
    )


def test_a_cleaning_names_what_goes_and_its_sum() -> None:
    assert list(cleaning_lines(cleaning(FOLDERS, IN_USE, NOW))) == [
        "folder neuronx-cc-2.25.3371.0: 1 graph, 2.5 GB, no user",
        "failed compile-cache/neuronx-cc-2.27.5334.0/trn1/lnc-default/x/MODULE_1",
        "2 objects, 2.5 GB",
    ]
    assert list(cleaning_lines(cleaning((), IN_USE, NOW))) == []


def test_an_sdk_without_a_known_compiler_is_named_with_its_users() -> None:
    (line,) = notes(FOLDERS, CompilersInUse({}, {"2.33.1": ("draft", "train-trn1")}), FILLERS)
    assert "SDK 2.33.1 (draft and train-trn1)" in line


def test_a_folder_of_another_compiler_is_named_with_the_command_that_fills_it() -> None:
    before, after = (_plan_compiled_by(version) for version in ("2.26.1.0", "2.27.1.0"))
    ((folder, lines),) = cache_lines(before, after, "train-trn1", FILLERS)
    assert folder == "neuronx-cc-2.27.1.0/trn1/lnc-default"
    submit = "neuron-cluster workload submit"
    assert f"`{submit} warmer train-trn1` or `{submit} warm-job train-trn1 --run FILE` fills it, and" in lines
    assert cache_lines(before, before, "train-trn1", FILLERS) == cache_lines(None, after, "train-trn1", FILLERS) == ()


def test_nothing_is_said_to_fill_the_cache_of_workstations_alone() -> None:
    before, after = (_plan_compiled_by(version) for version in ("2.26.1.0", "2.27.1.0"))
    ((_, lines),) = cache_lines(before, after, "train-trn1", ())
    assert lines.endswith("after the deploy `neuron-cluster cache status train-trn1` names folders without a graph")
    assert list(notes((), IN_USE, ())) == ["The cache is empty."]
    assert list(missing_lines(["a"], ())) == ["a has no graph: workloads there compile at their start."]


def test_what_fills_the_cache_is_named() -> None:
    assert list(notes((), IN_USE, FILLERS)) == ["The cache is empty: warmer or warm-job fills it."]
    (line,) = missing_lines(["a"], FILLERS[1:])
    assert line == "a has no graph: workloads there compile at their start, until warm-job fills it."


def _plan_compiled_by(compiler: str) -> CompileCachePlan:
    made = (CompiledFor("a", compiler, "trn1", None), CompiledFor("b", compiler, "trn1", None))
    return CompileCachePlan(("storage", "compile_cache"), "compile-cache/", 90, made)
