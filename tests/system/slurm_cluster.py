"""A Slurm cluster of this machine: munged, slurmctld and one slurmd for each node, without systemd, in a folder.

Nodes have the scripts, settings and gres records of the toolkit. Their Neuron devices are device nodes that open like
/dev/null; a folder has what the driver shows in sysfs. Without cgroups, which a container may not have, and accounting.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TypeVar

import msgspec
import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.pipeline import check_environment
from neuron_cluster.schedulers.slurm.cluster import SlurmCluster as PlannedCluster
from neuron_cluster.schedulers.slurm.cluster import slurm_of
from neuron_cluster.schedulers.slurm.gres import GresPlan
from neuron_cluster.schedulers.slurm.node_files import node_files
from neuron_cluster.schedulers.slurm.node_settings import FILE, node_settings
from neuron_cluster.schedulers.slurm.script_settings import FOLDER, SLURM
from neuron_cluster.toolkit_files import TEMPLATES
from tests.system_tests import needs_program

SECONDS = 240
"""After which a test no longer waits for what the cluster does: long enough for a loaded machine."""
POLL_SECONDS = 0.1
END_WITH_THIS_PROCESS = ("setpriv", "--pdeathsig", "KILL")
NULL_DEVICE = os.makedev(1, 3)
NODE_CONF = """\
. "$folder/../../nodes/$SLURMD_NODENAME/node.conf"
PATH=$folder/../../programs:$PATH
"""
"""All nodes have one folder of scripts, and settings of their own: slurmd sets the variable."""

needs_slurm = (
    *(needs_program(name) for name in ("slurmctld", "slurmd", "munge")),
    needs_program("slurm-client", shutil.which("sbatch")),
    pytest.mark.skipif(os.geteuid() != 0, reason="needs root: mknod, and slurmd that starts jobs of other users"),
)

Value = TypeVar("Value")
Cluster = TypeVar("Cluster", bound="SlurmCluster")


def eventually(look: Callable[[], Value], until: Callable[[Value], bool]) -> Value:
    """Returns the result of ``look`` once it is as expected. Fails with its last value after ``SECONDS``."""
    deadline = time.monotonic() + SECONDS
    while not until(found := look()):
        assert time.monotonic() < deadline, found
        time.sleep(POLL_SECONDS)
    return found


class SlurmCluster:
    """Nodes ``node1``, ``node2``, … of the group with Neuron devices of a shipped environment, with its queues.

    ``settings`` replace those of its plan. Jobs of the queue ``shared``, which is no environment's, share nodes.
    """

    def __init__(self, folder: Path, environment: str, nodes: int, settings: Mapping[str, str]) -> None:
        self.folder = folder
        self.plan = planned(environment)
        self.group = next(group for group in self.plan.groups if group.gres is not None)
        self.row = load_catalog().instance_types[self.group.machine.instance_type]
        self.nodes = tuple(f"node{number}" for number in range(1, nodes + 1))
        self.programs = folder / "programs"
        """On the search path of scripts and jobs before all others: replacements of what needs hardware."""
        self.installed = folder / "neuron-cluster"
        self._environment = {
            "PATH": f"{self.programs}:{os.environ['PATH']}",
            "SLURM_CONF": str(folder / "slurm.conf"),
            "HOME": str(folder),
        }
        self._settings = {**self.planned_settings, **settings}
        self._settings["SchedulerParameters"] += ",sched_interval=1,bf_interval=1"  # seconds, of 60 and 30
        self._daemons: dict[str, ExitStack] = {}
        """Daemons by program, or by node for slurmd."""

    @property
    def planned_settings(self) -> dict[str, str]:
        """Settings of the plan, for files that are in a folder here."""
        return {name: value.replace(FOLDER, str(self.installed)) for name, value in self.plan.settings.items()}

    @property
    def node_settings(self) -> Mapping[str, str]:
        """Settings of nodes that are in slurm.conf from the beginning."""
        return self.group.settings

    @property
    def gres(self) -> GresPlan:
        assert self.group.gres is not None
        return self.group.gres

    def devices(self, node: str) -> Path:
        return self.folder / "nodes" / node / "dev"

    def sysfs(self, node: str) -> Path:
        return self.folder / "nodes" / node / "sys"

    def write_node(self, node: str, **changes: object) -> None:
        """The node.conf of a node, with other values than those of its instance type."""
        self._write_settings(self.folder / "nodes" / node, **changes)

    def _write_settings(self, folder: Path, **changes: object) -> None:
        made = node_settings(self.row, slurm_commands="/usr/bin")
        here: dict[str, object] = {
            "slurm_conf": str(self.folder / "slurm.conf"),
            "device_folder": str(folder.resolve() / "dev"),  # as /proc shows what a process has open
            "sysfs": str(folder.resolve() / "sys"),
            "minimum_free_mib": 0,
            "mount_wait_seconds": 0,
            "state_folder": str(folder.resolve() / "run"),
        }
        text = msgspec.structs.replace(made, **{**here, **changes}).text()
        (folder / "node.conf").write_text(text, encoding="ascii")

    def write_program(self, name: str, text: str) -> None:
        path = self.programs / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def run(self, *arguments: str, **variables: str) -> str:
        """Returns the output of a command of Slurm."""
        ran = subprocess.run(
            arguments,
            env=self._environment | variables,
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS,
        )
        assert ran.returncode == 0, f"{' '.join(arguments)}: {ran.stderr}"
        return ran.stdout

    def submit(self, *arguments: str, **variables: str) -> str:
        """The id of the job that sbatch accepts."""
        return self.run("sbatch", "--parsable", *arguments, **variables).strip()

    def job(self, number: str) -> dict[str, str]:
        """Fields of `scontrol show job`."""
        return _fields(self.run("scontrol", "--oneliner", "show", "job", number))

    def partition(self, name: str) -> dict[str, str]:
        """Fields of `scontrol show partition`."""
        return _fields(self.run("scontrol", "--oneliner", "show", "partition", name))

    def node(self, name: str) -> dict[str, str]:
        """Fields of `scontrol show node`; the reason as written."""
        shown = self.run("scontrol", "--oneliner", "show", "node", name)
        head, _, reason = shown.partition(" Reason=")
        return {**_fields(head), "Reason": reason.partition(" [")[0].strip()}

    def ended(self, number: str) -> dict[str, str]:
        """The job once it has ended, in whatever state."""
        active = ("PENDING", "RUNNING", "COMPLETING", "CONFIGURING")
        return eventually(lambda: self.job(number), lambda job: job["JobState"] not in active)

    def drained(self, node: str) -> dict[str, str]:
        """The node once it is drained."""
        return eventually(lambda: self.node(node), lambda found: "DRAIN" in found["State"])

    def write_counter(self, node: str, device: int, counter: str, count: int) -> None:
        """Writes a counter of the driver for a device."""
        folder = self.sysfs(node) / "devices" / "virtual" / "neuron_device" / f"neuron{device}" / "stats" / "hardware"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / counter).write_text(f"{count}\n", encoding="ascii")

    def repair(self, node: str) -> None:
        """Takes away all faults, and a drained node into service again: as a new instance, whose slurmd registers."""
        self._make_node(node)
        # A health check that began before has seen the fault, and drains the node yet.
        eventually(lambda: self._is_checked(node), lambda checked: not checked)
        # A check may have resumed it. With checks each second slurmctld does not get to the ping that follows.
        flags = {"DRAIN", "NOT_RESPONDING"} & {*self.node(node)["State"].rstrip("*").split("+")}
        if flags:
            self._daemons.pop(node).close()
            if "DRAIN" in self.node(node)["State"]:
                self.run("scontrol", "update", f"nodename={node}", "state=undrain")
            self._start_slurmd(node)
        eventually(lambda: self.node(node), lambda found: found["State"] == "IDLE")

    def _is_checked(self, node: str) -> bool:
        """Whether the health check of the node runs."""
        script, variable = str(self.installed / SLURM / "health_check.sh").encode(), f"SLURMD_NODENAME={node}".encode()
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):  # it has ended
                arguments = (process / "cmdline").read_bytes().split(b"\0")
                if script in arguments and variable in (process / "environ").read_bytes().split(b"\0"):
                    return True
        return False

    def start(self) -> None:
        self.programs.mkdir()
        (self.folder / "nodes").mkdir()
        self._install()
        for node in self.nodes:
            self._make_node(node)
        self._write_configuration()
        munge = self.folder / "munge"
        munge.mkdir(mode=0o700)
        key = munge / "key"
        key.write_bytes(os.urandom(64))
        key.chmod(0o400)
        files = {"key-file": key, "socket": self.folder / "munge.socket", "pid-file": munge / "pid"}
        files |= {"log-file": munge / "log", "seed-file": munge / "seed"}
        self._start(
            "munged", "munged", "--force", "--foreground", *(f"--{name}={path}" for name, path in files.items())
        )
        eventually((self.folder / "munge.socket").exists, bool)
        self._start("slurmctld", "slurmctld", "-D", "-i", "-f", str(self.folder / "slurm.conf"))
        for node in self.nodes:
            self._start_slurmd(node)
        try:
            eventually(self._states, lambda states: states == ["idle"] * len(self.nodes))
        except AssertionError as problem:
            problem.add_note((self.folder / "daemons.log").read_text(errors="replace")[-4000:])
            raise

    def stop(self) -> None:
        """Ends jobs and daemons."""
        try:
            if len(self._states()) == len(self.nodes):
                self.cancel_all()
        finally:
            for daemon in reversed(self._daemons.values()):
                daemon.close()

    def cancel_all(self) -> None:
        for job in self.run("squeue", "--noheader", "--format=%A").split():
            self.run("scancel", job)
        eventually(lambda: self.run("squeue", "--noheader"), lambda rows: not rows)

    def _states(self) -> list[str]:
        """Returns the states of the nodes, once the controller answers."""
        command = ["sinfo", "--noheader", "--Node", "--partition=shared", "--format=%T"]
        return subprocess.run(
            command, env=self._environment, capture_output=True, text=True, check=False
        ).stdout.split()

    def _install(self) -> None:
        for name, text in node_files(node_settings(self.row, slurm_commands="/usr/bin")).items():
            path = self.installed / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            path.chmod(0o755 if text.startswith("#!") else 0o644)
        (self.installed / SLURM / FILE).write_text(NODE_CONF, encoding="ascii")

    def _make_node(self, node: str) -> None:
        self.write_program("dmesg", "#!/bin/sh\n")  # the kernel of this machine is not the node's
        (self.programs / "stat").unlink(missing_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f"{node}-", dir=self.folder / "nodes"))
        made.chmod(0o755)
        (made / "dev").mkdir()
        for number in range(self.row.neuron_devices or 0):
            device = made / "dev" / f"neuron{number}"
            os.mknod(device, 0o20666, NULL_DEVICE)
            device.chmod(0o666)
        for number in range(self.row.efa_interfaces or 0):
            (made / "sys" / "class" / "infiniband" / f"rdmap{number}").mkdir(parents=True)
        self._write_settings(made)
        # Programs that check the node meanwhile find all of it, as it was or as it is now.
        link = made.with_name(f"{node}.new")
        link.symlink_to(made)
        link.replace(self.folder / "nodes" / node)

    def _write_configuration(self) -> None:
        controller, *ports = free_ports(1 + len(self.nodes))
        (self.folder / "state").mkdir()
        lines = [f"{name}={value}" for name, value in {**self._own_settings(controller), **self._settings}.items()]
        for node, port in zip(self.nodes, ports, strict=True):
            hardware = f"CPUs={(self.row.vcpus or 2) // 2} RealMemory={(self.row.memory_gib or 1) * 1024 * 9 // 10}"
            address = f"NodeHostname={socket.gethostname()} NodeAddr=127.0.0.1 Port={port}"
            lines.append(f"NodeName={node} {address} {hardware} {_words(self.node_settings)}")
        queues = [(queue.name, queue.settings) for queue in self.plan.queues if self.group.name in queue.groups]
        for name, given in (*queues, ("shared", {})):
            lines.append(f"PartitionName={name} Nodes={','.join(self.nodes)} {_words(given)}")
        (self.folder / "slurm.conf").write_text("\n".join(lines) + "\n", encoding="ascii")
        self._write_gres()
        limits = "".join(f"{name}={value}\n" for name, value in self.plan.cgroup_settings.items())
        (self.folder / "cgroup.conf").write_text(limits, encoding="ascii")  # read, but no plugin here applies it

    def _write_gres(self) -> None:
        records = [self.gres.line(node, str(self.devices(node))) for node in self.nodes]
        (self.folder / "gres.conf").write_text("\n".join(records) + "\n", encoding="ascii")

    def _own_settings(self, controller: int) -> dict[str, object]:
        """Settings of this machine, which no plan has."""
        return {
            "ClusterName": "neuron",
            "SlurmctldHost": f"{socket.gethostname()}(127.0.0.1)",
            "SlurmctldPort": controller,
            "AuthInfo": f"socket={self.folder}/munge.socket,cred_expire=5",  # seconds that a requeued job waits
            "StateSaveLocation": f"{self.folder}/state",
            "SlurmdSpoolDir": f"{self.folder}/spool-%n",
            "SlurmdPidFile": f"{self.folder}/%n.pid",
            "SlurmctldPidFile": f"{self.folder}/slurmctld.pid",
            "SlurmctldLogFile": f"{self.folder}/slurmctld.log",
            "SlurmdLogFile": f"{self.folder}/%n.log",
            "SlurmUser": "root",
            "SlurmdParameters": "config_overrides",  # nodes with more processors than this machine
            "ProctrackType": "proctrack/linuxproc",
            "TaskPlugin": "task/none",
            "SelectType": "select/cons_tres",
            "GresTypes": "gpu",
            "KillWait": 5,
            "MailProg": "/bin/true",
        }

    def _start_slurmd(self, node: str) -> None:
        self._start(node, "slurmd", "-D", "-N", node, "-f", str(self.folder / "slurm.conf"))

    def _start(self, name: str, *command: str) -> None:
        stack = self._daemons[name] = ExitStack()
        log = stack.enter_context((self.folder / "daemons.log").open("ab"))
        process = subprocess.Popen(
            [*END_WITH_THIS_PROCESS, *command], env=self._environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
        stack.callback(_end, process)


@contextmanager
def slurm_cluster(
    environment: str, nodes: int = 2, kind: type[Cluster] = SlurmCluster, **settings: str
) -> Iterator[Cluster]:
    """A cluster that runs. In /tmp, because a job's user must reach it, and the path of a socket is short."""
    with tempfile.TemporaryDirectory(prefix="slurm-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        cluster = kind(folder, environment, nodes, settings)
        try:
            cluster.start()
            yield cluster
        finally:
            cluster.stop()


def planned(environment: str) -> PlannedCluster:
    """Returns the plan of the Slurm cluster of a shipped environment, whichever provider runs it."""
    slurm = slurm_of(check_environment(TEMPLATES / f"{environment}.yaml").require_plan())
    assert slurm is not None
    return slurm


def _words(settings: Mapping[str, str]) -> str:
    return " ".join(f"{name}={value}" for name, value in settings.items())


def _fields(line: str) -> dict[str, str]:
    return dict(word.split("=", 1) for word in line.split() if "=" in word)


GIVEN_TO_NOBODY = range(20_000, 32_000)
"""Below net.ipv4.ip_local_port_range."""


def free_ports(count: int) -> list[int]:
    """Ports that were free just now, of those that Linux gives to no connection: srun would take another one soon."""
    found: list[int] = []
    for port in secrets.SystemRandom().sample(GIVEN_TO_NOBODY, len(GIVEN_TO_NOBODY)):
        with suppress(OSError), socket.create_server(("", port)):
            found.append(port)
        if len(found) == count:
            return found
    raise OSError(f"fewer than {count} of the ports {GIVEN_TO_NOBODY} are free")


def _end(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
