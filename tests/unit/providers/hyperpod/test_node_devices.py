"""Neuron devices that a node of HyperPod with Slurm announces, with a scontrol that records calls."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from neuron_cluster.toolkit_files import PACKAGE

SCRIPT = PACKAGE / "providers" / "hyperpod" / "node_start" / "node_devices.sh"
SCONTROL = """\
#!/bin/bash
if [[ $* == *"show node"* ]]; then
  [[ -e $STATE/shown ]] && cat "$STATE/shown"
else
  echo "$*" >>"$STATE/calls"
  [[ ! -e $STATE/refuses ]]
fi
"""
GRES = "gpu:trainium:16"
ANNOUNCED = f"Comment=neuron-cluster:{GRES} "
ANNOUNCE, RESUME = f"update nodename=n1 comment=neuron-cluster:{GRES}", "update nodename=n1 state=resume"


class Node:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "scontrol").write_text(SCONTROL)
        (folder / "scontrol").chmod(0o755)

    def show(self, state: str = "IDLE", rest: str = "") -> None:
        (self.folder / "shown").write_text(f"NodeName=n1 Arch=x86_64 State={state} {rest}Extra=(null)\n")

    def run(self, gres: str = GRES) -> int:
        environment = {"PATH": f"{self.folder}:/usr/bin:/bin", "STATE": str(self.folder), "SLURMD_NODENAME": "n1"}
        return subprocess.run(["bash", SCRIPT, gres], env=environment, capture_output=True, check=False).returncode

    @property
    def calls(self) -> list[str]:
        path = self.folder / "calls"
        return path.read_text().splitlines() if path.exists() else []


@pytest.fixture
def node(tmp_path: Path) -> Node:
    return Node(tmp_path)


@pytest.mark.parametrize(
    ("state", "rest", "calls"),
    [
        ("IDLE", "", [ANNOUNCE]),
        ("IDLE", "Comment=(null) ", [ANNOUNCE]),
        ("IDLE", "Comment=neuron-cluster:gpu:trainium:1 ", [ANNOUNCE]),
        ("IDLE", f"{ANNOUNCED}", []),
        ("IDLE+DRAIN", "Reason=Prolog error [slurm@2026-11-29] ", [ANNOUNCE, RESUME]),
        ("IDLE+DRAIN", f"{ANNOUNCED}Reason=Prolog error [slurm@2026-11-29] ", []),
        (
            "IDLE+DRAIN",
            f"{ANNOUNCED}Reason=gres/gpu count reported lower than configured (0 < 16) [slurm@x] ",
            [RESUME],
        ),
        ("IDLE+DRAIN+INVALID_REG", f"{ANNOUNCED}Reason=gres/gpu count reported lower than configured (0 < 16) ", []),
        ("IDLE+DRAIN", f"{ANNOUNCED}Reason=Action:Replace [root@2026-11-29] ", []),
        ("IDLE+DRAIN", "Reason=Action:Reboot [root@2026-11-29] ", [ANNOUNCE]),
        ("IDLE+DRAIN", f"{ANNOUNCED}Reason=neuron-cluster: Neuron device neuron3 is missing [root@x] ", []),
        ("IDLE+DRAIN", f"{ANNOUNCED}Reason=maintenance [admin@x] ", []),
    ],
)
def test_a_node_announces_devices_and_is_resumed_for_no_other_reason(
    node: Node, state: str, rest: str, calls: list[str]
) -> None:
    node.show(state, rest)
    assert node.run() == 0
    assert node.calls == calls


@pytest.mark.parametrize(
    ("rest", "calls"),
    [
        ("", []),
        ("Comment=of-an-administrator ", []),
        ("Comment=neuron-cluster:none ", []),
        (ANNOUNCED, ["update nodename=n1 comment=neuron-cluster:none"]),
    ],
)
def test_a_node_without_devices_takes_back_those_of_a_former_node(node: Node, rest: str, calls: list[str]) -> None:
    """HyperPod names nodes by their addresses, which another node gets later."""
    node.show(rest=rest)
    assert node.run("none") == 0
    assert node.calls == calls


def test_a_node_that_slurm_does_not_know_yet_is_no_failure(node: Node) -> None:
    """The timer asks again."""
    assert node.run() == 0
    assert node.calls == []


def test_a_refused_announcement_is_a_failure_of_the_unit_and_resumes_nothing(node: Node) -> None:
    node.show("IDLE+DRAIN", "Reason=Prolog error [slurm@x] ")
    (node.folder / "refuses").touch()
    assert node.run() == 1
    assert node.calls == [ANNOUNCE]


def test_without_a_name_of_slurm_the_node_has_that_of_the_host(node: Node) -> None:
    (node.folder / "hostname").write_text("#!/bin/sh\necho ip-10-1-2-3\n")
    (node.folder / "hostname").chmod(0o755)
    node.show()
    environment = {"PATH": f"{node.folder}:/usr/bin:/bin", "STATE": str(node.folder)}
    subprocess.run(["bash", SCRIPT, GRES], env=environment, check=True)
    assert node.calls == [ANNOUNCE.replace("n1", "ip-10-1-2-3")]
