"""The nodes of a rehearsed job: what its containers see of a node, and the tasks that run on it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct

from neuron_cluster.rehearsal.container_process import Mount
from neuron_cluster.rehearsal.host_run import HostNetwork, HostProcess, HostProgram, HostRun
from neuron_cluster.schedulers.slurm import script_settings
from neuron_cluster.schedulers.slurm.node_files import node_files, programs
from neuron_cluster.schedulers.slurm.node_settings import NodeSettings
from neuron_cluster.schedulers.slurm.rehearsal import commands

TASK = """\
while IFS= read -r line; do
  case $line in "export "*) declare -x "${line#export }" ;; esac
done < <("$1")
shift
exec "$@"
"""
"""As slurmstepd starts a task: with the variables that the task prolog prints."""
SCRIPT = "/run/rehearsal-job.sbatch"
LOCAL_FOLDER = "/tmp"  # noqa: S108  of the container, which ends with it


class NodeSpec(Struct, frozen=True, kw_only=True):
    """A node of the group. ``shared`` are folders that all nodes mount; folders are "" where there is none."""

    settings: NodeSettings
    devices: int
    """Neuron devices of the job on each node."""
    shared: tuple[str, ...]
    environment_folder: str
    """Folder of a Python environment in the machine image."""
    working_folder: str


class Nodes:
    """``folder`` gets the files of the nodes, and a folder for each shared file system."""

    def __init__(self, spec: NodeSpec, folder: Path, run: HostRun, variables: Mapping[str, str]) -> None:
        self._spec, self._folder, self._run, self._variables = spec, folder, run, variables
        self._started = 0
        self.requests = folder / "requests"
        self.requests.mkdir()
        commands.write_commands(folder / "commands")
        _write(node_files(spec.settings), folder / "installed")
        for mount in spec.shared:
            shared_folder(folder, mount).mkdir(parents=True, exist_ok=True)
        if spec.environment_folder:
            activate = folder / "environment" / "bin" / "activate"
            activate.parent.mkdir(parents=True)
            activate.touch()

    def discard_requests(self) -> None:
        """Calls of commands of an attempt that has ended."""
        for file in self.requests.iterdir():
            file.unlink()

    def close(self) -> None:
        """At the end: pipes of commands that were killed are nothing to keep."""
        shutil.rmtree(self.requests)

    def start_script(
        self, script: str, node: str, network: HostNetwork, variables: Mapping[str, str], ended: Callable[[int], None]
    ) -> HostProcess:
        """Runs the job script on a node."""
        file = self._folder / "job.sbatch"
        file.write_text(script, encoding="utf-8")
        mounts = (*self._mounts(), Mount(SCRIPT, file, read_only=True))
        return self._start(("bash", SCRIPT), node, "script", network, variables, mounts, ended)

    def start_task(
        self,
        words: tuple[str, ...],
        node: str,
        network: HostNetwork,
        variables: Mapping[str, str],
        ended: Callable[[int], None],
    ) -> HostProcess:
        """Runs a task of a step on a node, after the task prolog."""
        prolog = f"{script_settings.FOLDER}/{script_settings.SLURM}/task_prolog.sh"
        command = ("bash", "-c", TASK, "bash", prolog, *words)
        return self._start(command, node, "task", network, variables, tuple(self._mounts()), ended)

    def _start(
        self,
        command: tuple[str, ...],
        node: str,
        kind: str,
        network: HostNetwork,
        variables: Mapping[str, str],
        mounts: tuple[Mount, ...],
        ended: Callable[[int], None],
    ) -> HostProcess:
        self._started += 1
        name = f"{node}.{kind}.{self._started}"
        program = HostProgram(
            name=node,
            log=f"{name}.log",
            command=command,
            environment={**variables, **self._variables, "SLURMD_NODENAME": node},
            host_name=node,
            mounts=mounts,
            network=network,
            neuron_devices=self._spec.devices,
            working_directory=self._working_folder(),
            commands=self._spec.settings.slurm_commands,
            has_init=True,
        )
        return self._run.start(program, self._folder / "roots" / name, ended)

    def _working_folder(self) -> str:
        """slurmstepd starts in /tmp where the folder does not exist."""
        folder = self._spec.working_folder
        return folder if folder and shared_folder(self._folder, folder).is_dir() else LOCAL_FOLDER

    def _mounts(self) -> list[Mount]:
        spec, folder = self._spec, self._folder
        return [
            Mount(script_settings.FOLDER, folder / "installed", read_only=True),
            Mount(spec.settings.slurm_commands, folder / "commands", read_only=True),
            Mount(commands.FOLDER, self.requests),
            *(Mount(mount, shared_folder(folder, mount)) for mount in spec.shared),
            *(
                [Mount(spec.environment_folder, folder / "environment", read_only=True)]
                if spec.environment_folder
                else []
            ),
        ]


def shared_folder(folder: Path, mount: str) -> Path:
    """Where a shared file system is on this machine."""
    return folder / "shared" / mount.strip("/")


def _write(files: Mapping[str, str], folder: Path) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for name in programs(files):
        (folder / name).chmod(0o755)
