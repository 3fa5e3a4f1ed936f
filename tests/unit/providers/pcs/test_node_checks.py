"""When a node is drained and resumed: its scripts with a scontrol that keeps the state of the node in a file."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.schedulers.slurm.node_files import node_files
from neuron_cluster.schedulers.slurm.node_settings import node_settings

IDLE = "NodeName=n1 State=IDLE\n"
SCONTROL = """\
#!/bin/bash
words=$*
case "$words" in
  *"show node"*) cat "$STATE" ;;
  *state=drain*) echo "NodeName=n1 State=IDLE+DRAIN Reason=${words##*reason=} [root@2026-11-29T00:00:00]" >"$STATE" ;;
  *state=resume*) echo "NodeName=n1 State=IDLE" >"$STATE" ;;
  requeue*) echo "$words" >>"$STATE-requeued" ;;
esac
"""
SILENT = "#!/bin/bash\nexit 1\n"
ONCE_SILENT = '#!/bin/bash\n[[ -e $STATE-asked ]] && echo ext4\ntouch "$STATE-asked"\n'
ANSWERS = "#!/bin/bash\necho ext4\n"


class Node:
    """A node without devices that has one mount, /proc."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        self.folder = folder
        self.state = folder / "state"
        self.state.write_text(IDLE, encoding="utf-8")
        made = node_settings(load_catalog().instance_types["m7i.large"], slurm_commands=str(folder), mounts=("/proc",))
        here: dict[str, Any] = {
            "state_folder": str(folder / "run"),
            "minimum_free_mib": 0,
            "sysfs": str(folder / "sys"),
        }
        here |= {"device_folder": str(folder / "dev"), "mount_wait_seconds": 0}
        self.settings = msgspec.structs.replace(made, **here | settings)
        for name, text in (("scontrol", SCONTROL), ("squeue", "#!/bin/sh\n"), ("dmesg", "#!/bin/sh\n")):
            self.program(name, text)
        self.program("sleep", "#!/bin/sh\n")
        self.program("stat", ANSWERS)
        self.write()

    def write(self, **changes: Any) -> None:
        self.settings = msgspec.structs.replace(self.settings, **changes)
        for name, text in node_files(self.settings).items():
            path = self.folder / "node" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def program(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")
        (self.folder / name).chmod(0o755)

    def run(self, script: str) -> int:
        environment = {"PATH": f"{self.folder}:/usr/bin:/bin", "STATE": str(self.state), "SLURMD_NODENAME": "n1"}
        command = ["bash", str(self.folder / "node" / "slurm" / script)]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False).returncode

    @property
    def reason(self) -> str:
        """Empty while it is not drained."""
        return self.state.read_text(encoding="utf-8").partition("Reason=")[2].partition(" [")[0].strip()


@pytest.fixture
def node(tmp_path: Path) -> Node:
    return Node(tmp_path)


def not_mounted(node: Node) -> str:
    node.write(mounts=("/fsx",))
    return "/fsx is not mounted"


def silent(node: Node) -> str:
    node.program("stat", SILENT)
    return "/proc does not respond"


def full(node: Node) -> str:
    node.write(minimum_free_mib=10**9)
    return "the root volume has "


def repaired(node: Node) -> None:
    node.program("stat", ANSWERS)
    node.write(mounts=("/proc",), minimum_free_mib=0, devices=0)


VOLUME_FAULTS = [not_mounted, silent, full]
Fault = Callable[[Node], str]


@pytest.mark.parametrize("fault", VOLUME_FAULTS)
def test_a_volume_fault_drains_at_its_second_check_and_the_node_resumes_without_it(node: Node, fault: Fault) -> None:
    reason = fault(node)
    node.run("health_check.sh")
    assert node.reason == "", "one slow answer"
    node.run("health_check.sh")
    assert node.reason.startswith(f"neuron-cluster: {reason}")
    node.run("health_check.sh")
    assert node.reason, "the fault is there"
    repaired(node)
    node.run("health_check.sh")
    assert node.state.read_text(encoding="utf-8") == IDLE


def test_a_check_without_a_fault_begins_to_count_again(node: Node) -> None:
    for text in (SILENT, ANSWERS, SILENT):
        node.program("stat", text)
        node.run("health_check.sh")
    assert node.reason == ""


def test_a_stat_that_has_ended_and_is_not_reaped_does_not_hang(node: Node) -> None:
    ended = subprocess.Popen([node.folder / "stat"], stdout=subprocess.DEVNULL)
    os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
    waits = node.folder / "run" / "waits-for-proc"
    waits.parent.mkdir(parents=True, exist_ok=True)
    waits.write_text(str(ended.pid), encoding="utf-8")
    for _ in range(2):
        node.run("health_check.sh")
    ended.wait()
    assert node.reason == ""


def test_a_device_fault_drains_at_once_and_stays(node: Node) -> None:
    node.write(devices=1)
    node.run("health_check.sh")
    assert node.reason == "neuron-cluster: Neuron device neuron0 is missing"
    repaired(node)
    node.run("health_check.sh")
    assert node.reason == "neuron-cluster: Neuron device neuron0 is missing"


@pytest.mark.parametrize("reason", ["", "new image", "neuron-cluster: /fsx is not mounted"])
def test_jobs_of_a_node_with_a_device_fault_are_requeued_also_where_it_is_drained(node: Node, reason: str) -> None:
    if reason:
        node.state.write_text(f"NodeName=n1 State=MIXED+DRAIN Reason={reason} [root@2026-11-29T00:00:00]\n")
    node.program("squeue", "#!/bin/sh\necho 7\n")
    node.write(devices=1)
    node.run("health_check.sh")
    assert node.reason == (reason or "neuron-cluster: Neuron device neuron0 is missing")
    assert (node.folder / "state-requeued").read_text(encoding="utf-8") == "requeue Incomplete 7\n"


def test_a_node_without_a_device_fault_keeps_its_jobs_while_it_is_drained(node: Node) -> None:
    silent(node)
    node.program("squeue", "#!/bin/sh\necho 7\n")
    for _ in range(3):
        node.run("health_check.sh")
    assert node.reason == "neuron-cluster: /proc does not respond"
    assert not (node.folder / "state-requeued").exists()


@pytest.mark.parametrize("reason", ["/fsx is not mounted", "new image", "see neuron-cluster: /fsx is not mounted"])
def test_a_reason_of_an_administrator_stays(node: Node, reason: str) -> None:
    node.state.write_text(f"NodeName=n1 State=IDLE+DRAIN Reason={reason} [root@2026-11-29T00:00:00]\n")
    node.run("health_check.sh")
    assert node.reason == reason


@pytest.mark.parametrize("action", ["Action:Reboot", "Action:Replace"])
@pytest.mark.parametrize("fault", ["device", "volume"])
def test_a_node_that_hyperpod_reboots_or_replaces_keeps_state_and_reason(node: Node, action: str, fault: str) -> None:
    """HyperPod acts on nodes whose reason it is; those have the state FAIL, not DRAIN."""
    state = f"NodeName=n1 State=FAIL Reason={action} [root@2026-11-29T00:00:00]\n"
    node.state.write_text(state, encoding="utf-8")
    if fault == "device":
        node.write(devices=1)
    else:
        silent(node)
    for script in ("health_check.sh", "health_check.sh", "prolog.sh"):
        node.run(script)
    assert node.state.read_text(encoding="utf-8") == state
    repaired(node)
    node.run("health_check.sh")
    assert node.state.read_text(encoding="utf-8") == state


def test_a_node_with_a_device_fault_is_not_resumed_for_its_mount(node: Node) -> None:
    silent(node)
    for _ in range(2):
        node.run("health_check.sh")
    repaired(node)
    node.write(devices=1)
    node.run("health_check.sh")
    assert node.reason == "neuron-cluster: /proc does not respond"


def test_a_prolog_waits_for_a_mount(node: Node) -> None:
    node.program("stat", ONCE_SILENT)
    node.write(mount_wait_seconds=240)
    assert (node.run("prolog.sh"), node.reason) == (0, "")


def test_a_prolog_whose_mount_does_not_come_back_drains_the_node(node: Node) -> None:
    silent(node)
    assert (node.run("prolog.sh"), node.reason) == (1, "neuron-cluster: /proc does not respond")


def test_no_second_process_waits_for_a_file_server_that_is_gone(node: Node, tmp_path: Path) -> None:
    """Each would be left for as long as it is gone, since a signal does not end it."""
    waits = tmp_path / "run" / "waits-for-proc"
    waits.parent.mkdir()
    node.program("stat", "#!/bin/bash\necho\nread -r\n")
    with subprocess.Popen([tmp_path / "stat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()  # it has begun
        waits.write_text(f"{process.pid}\n", encoding="ascii")
        node.program("stat.new", '#!/bin/bash\ntouch "$STATE-asked"\necho ext4\n')
        (tmp_path / "stat.new").replace(tmp_path / "stat")
        node.run("health_check.sh")
        node.run("health_check.sh")
        assert node.reason == "neuron-cluster: /proc does not respond"
        assert not (tmp_path / "state-asked").exists()
        process.communicate(b"\n")
    node.run("health_check.sh")
    assert node.reason == ""
