"""charts/collectives-check: the program of a pod on a single node, with a program in place of nccom-test."""

import dataclasses
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

FILES = Path(__file__).parents[3] / "charts" / "collectives-check" / "files"
sys.path.insert(0, str(FILES))

from check_plan import CheckPlan, read_plan
from collectives_report import Floor
from run_check import BELOW_FLOOR, join_ultraservers, measure, nodes_of
from ssh_mesh import SshMesh
from ultraserver_places import WrongPlacement

TABLE = "size(B) count(elems) type time(us) algbw(GB/s) busbw(GB/s)\\n1024 256 bf16 10 30 30"


class ConfigMap:
    """One of a cluster, with all that was ever written to a key."""

    def __init__(self) -> None:
        self.data: dict[str, str] = {}
        self.verdicts: list[str] = []

    def read(self) -> dict[str, str]:
        return dict(self.data)

    def write(self, data: Mapping[str, str]) -> None:
        self.data |= data
        self.verdicts += [data["verdict"]] if "verdict" in data else []


@pytest.fixture
def plan(plan_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CheckPlan:
    tool = tmp_path / "nccom-test"
    tool.write_text(f"#!/bin/sh\nprintf '{TABLE}\\n'\n")
    tool.chmod(0o755)
    for name, value in {"POD_IP": "10.0.0.1", "NODE_NAME": "node-a", "JOB_COMPLETION_INDEX": "0"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    return dataclasses.replace(read_plan(plan_file), hosts=("a-r1-0.a",), ranks=64)


@pytest.mark.parametrize(("floor", "code", "verdict"), [(31.0, BELOW_FLOOR, "failed"), (30.0, 0, "passed")])
def test_the_verdict_is_in_the_config_map_before_and_after_pairs(
    floor: float, code: int, verdict: str, plan: CheckPlan, tmp_path: Path
) -> None:
    store, floors = ConfigMap(), (Floor("all_reduce", 1024, floor, "measured", enforced=True),)
    assert measure(dataclasses.replace(plan, floors=floors), store, SshMesh(tmp_path, 2222), [0]) == code
    assert store.verdicts == ["running", verdict, verdict]
    result = json.loads(store.data["result.json"])
    assert (result["verdict"], result["pairs"]) == (verdict, [])


def test_nodes_are_named_as_their_pods_wrote_them(plan: CheckPlan) -> None:
    """A pod that wrote none is named itself."""
    store = ConfigMap()
    store.write({"node-1": "node-b"})
    three = dataclasses.replace(plan, hosts=("a-r1-0.a", "a-r1-1.a", "a-r1-2.a"))
    assert nodes_of(three, store) == ["node-a", "node-b", "a-r1-2.a"]


def test_a_node_outside_of_ultraservers_ends_the_check_in_words(plan: CheckPlan) -> None:
    """This machine is one."""
    with pytest.raises(WrongPlacement, match="this node is in no UltraServer of 4"):
        join_ultraservers(dataclasses.replace(plan, ultraserver_size=4), ConfigMap())
