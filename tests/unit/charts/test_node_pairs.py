"""charts/collectives-check measures pairs of nodes after a floor was missed, with a program in place of nccom-test."""

import dataclasses
import os
import sys
from pathlib import Path

import pytest

FILES = Path(__file__).parents[3] / "charts" / "collectives-check" / "files"
sys.path.insert(0, str(FILES))

from check_plan import CheckPlan, read_plan
from collectives_report import Floor, FloorResult
from node_pairs import PairResult, measure_pairs, neighbours, pair_lines, slow_nodes

TOOL = """#!/bin/sh
echo "$NEURON_RT_ROOT_COMM_ID $*" >> {calls}
case "$*" in
  *"--hosts 10.0.0.3 10.0.0.0"*) echo "Failure running neuron-bench"; exit 1 ;;
  *10.0.0.2*) speed=30 ;;
  *) speed=90 ;;
esac
echo "size(B) count(elems) type time(us) algbw(GB/s) busbw(GB/s)"
echo "1024 256 bf16 10 $speed $speed"
"""
ADDRESSES = [f"10.0.0.{index}" for index in range(4)]
NODES = [f"node-{letter}" for letter in "abcd"]
FLOOR = Floor("all_reduce", 1024, 80.0, "", enforced=False)


@pytest.fixture
def plan(plan_file: Path) -> CheckPlan:
    hosts = tuple(f"a-r1-{index}.a" for index in range(4))
    return dataclasses.replace(read_plan(plan_file), hosts=hosts, ranks=256)


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns the log of the tool's arguments, a line a call; nodes 2 is slow, and 3 and 0 do not reach each other."""
    log = tmp_path / "calls"
    tool = tmp_path / "bin" / "nccom-test"
    tool.parent.mkdir()
    tool.write_text(TOOL.format(calls=log))
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tool.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("POD_IP", "10.0.0.0")
    return log


def test_each_node_is_in_two_pairs_and_two_nodes_in_none() -> None:
    assert neighbours(4) == [(0, 1), (1, 2), (2, 3), (3, 0)]
    assert neighbours(2) == neighbours(1) == []


def test_below_a_floor_each_pair_is_measured_at_its_size_alone(plan: CheckPlan, calls: Path) -> None:
    found = measure_pairs(plan, [FloorResult(FLOOR, 30.0)], ADDRESSES, NODES)
    assert [(each.nodes, each.bus_bandwidth) for each in found] == [
        (("node-a", "node-b"), 90.0),
        (("node-b", "node-c"), 30.0),
        (("node-c", "node-d"), 30.0),
        (("node-d", "node-a"), None),
    ]
    assert "Failure running" in found[-1].problem
    first = calls.read_text().splitlines()[0]
    assert first.startswith("10.0.0.0:63182 all_reduce --nworkers 128 --nnodes 2 --minbytes 1024 --maxbytes 1024 ")
    assert first.endswith("--hosts 10.0.0.0 10.0.0.1")


@pytest.mark.parametrize("measured", [80.0, None])
def test_pairs_are_left_out_where_a_floor_is_met_or_was_not_measured(
    measured: float | None, plan: CheckPlan, calls: Path
) -> None:
    assert measure_pairs(plan, [FloorResult(FLOOR, measured)], ADDRESSES, NODES) == []
    assert not calls.exists()


def test_two_floors_of_one_size_measure_their_pairs_once(plan: CheckPlan, calls: Path) -> None:
    higher = dataclasses.replace(FLOOR, bus_bandwidth=99.0)
    assert len(measure_pairs(plan, [FloorResult(FLOOR, 30.0), FloorResult(higher, 30.0)], ADDRESSES, NODES)) == 4
    assert len(calls.read_text().splitlines()) == 4


def test_no_time_for_pairs_is_none(plan: CheckPlan, calls: Path) -> None:
    hurried = dataclasses.replace(plan, pairs_seconds=0)
    assert measure_pairs(hurried, [FloorResult(FLOOR, 30.0)], ADDRESSES, NODES) == []
    assert not calls.exists()


def pair(first: str, second: str, bandwidth: float | None) -> PairResult:
    return PairResult("all_reduce", 1024, (first, second), bandwidth, "" if bandwidth else "test failed")


def test_the_slow_node_is_that_of_two_slow_pairs() -> None:
    found = [pair("a", "b", 90), pair("b", "c", 30), pair("c", "d", None), pair("d", "a", 89)]
    assert slow_nodes(found) == ["c"]
    assert pair_lines(found) == [
        "pair c and d: all_reduce at 1024 bytes was not measured: test failed",
        "pair b and c: all_reduce at 1024 bytes: 30.00 GiB/s",
        "pair d and a: all_reduce at 1024 bytes: 89.00 GiB/s",
        "pair a and b: all_reduce at 1024 bytes: 90.00 GiB/s",
        "slow in every pair: c",
    ]


def test_pairs_that_are_alike_accuse_no_node() -> None:
    found = [pair("a", "b", 50), pair("b", "c", 48), pair("c", "a", 51)]
    assert slow_nodes(found) == []
    assert len(pair_lines(found)) == 3
    assert pair_lines([]) == []


def test_where_no_pair_works_every_node_is_named() -> None:
    assert slow_nodes([pair("a", "b", None), pair("b", "c", None), pair("c", "a", None)]) == ["a", "b", "c"]
