"""One instance of a training job: its folders, its container, and what it copies from and to S3."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from neuron_cluster.rehearsal.container_process import Mount
from neuron_cluster.rehearsal.host_run import HostNetwork, HostProcess, HostProgram, HostRun
from neuron_cluster.schedulers.sagemaker.launcher import CHANNELS
from neuron_cluster.schedulers.sagemaker.rehearsal.checkpoint_sync import CheckpointSync
from neuron_cluster.schedulers.sagemaker.rehearsal.contract import (
    channels_of,
    checkpoint_path,
    command_of,
    variables_of,
    write_configuration,
)
from neuron_cluster.schedulers.sagemaker.rehearsal.store import Store, download

ROOT = "/opt/ml"


def own_name(address: str) -> str:
    """Returns the host name in a container, which "might be inaccurate": not the one in resourceconfig.json."""
    return f"ip-{address.replace('.', '-')}"


class Host:
    """``folder`` is its disk, which no other host sees and which ends with it."""

    def __init__(self, name: str, request: Mapping[str, Any], network: HostNetwork, folder: Path, store: Store) -> None:
        self.name, self._request, self._network, self._folder, self._store = name, request, network, folder, store
        self.process: HostProcess | None = None
        self.is_lost = False
        self.sync: CheckpointSync | None = None
        if "CheckpointConfig" in request:
            local = folder / "checkpoints"
            local.mkdir(parents=True)
            self.sync = CheckpointSync(local, store.path(str(request["CheckpointConfig"]["S3Uri"])))

    @property
    def failure(self) -> str:
        """The start of what the container wrote to /opt/ml/output/failure."""
        file = self._ml / "output/failure"
        return file.read_text(encoding="utf-8", errors="replace")[:1024] if file.is_file() else ""

    @property
    def model(self) -> Path:
        return self._ml / "model"

    @property
    def output(self) -> Path:
        """The folder that becomes output.tar.gz."""
        return self._ml / "output/data"

    def prepare(self) -> None:
        """Before the container starts: configuration, channels, checkpoints."""
        for folder in (self.model, self.output):
            folder.mkdir(parents=True)
        (self._ml / "input/data").mkdir(parents=True)
        write_configuration(self._request, self.name, list(self._network.addresses), self._ml / "input/config")
        for channel in channels_of(self._request):
            source = channel["DataSource"].get("S3DataSource")
            if source is not None:
                target = self._ml / "input/data" / str(channel["ChannelName"])
                download(self._store.path(str(source["S3Uri"])), target)
        if self.sync is not None:
            self.sync.download()

    def start(
        self, run: HostRun, variables: Mapping[str, str], devices: int, ended: Callable[[Host, int], None]
    ) -> None:
        """Raises ``OSError``."""
        program = HostProgram(
            name=self.name,
            log=f"{self.name}.{self._folder.parent.name}.log",
            command=command_of(self._request),
            environment={**variables, **variables_of(self._request)},
            host_name=own_name(self._network.addresses[self.name]),
            mounts=tuple(self._mounts()),
            network=self._network,
            neuron_devices=devices,
        )
        self.process = run.start(program, self._folder / "root", lambda code: ended(self, code))

    @property
    def runs(self) -> bool:
        """Whether its container has started and not ended."""
        return self.process is not None and self.process.exit_code is None

    @property
    def _ml(self) -> Path:
        return self._folder / "ml"

    def _mounts(self) -> Iterator[Mount]:
        yield Mount(ROOT, self._ml)
        if self.sync is not None:
            yield Mount(checkpoint_path(self._request), self._folder / "checkpoints")
        for channel in channels_of(self._request):
            source = channel["DataSource"].get("FileSystemDataSource")
            if source is not None:
                shared = self._store.file_system(str(source["FileSystemId"]), str(source.get("DirectoryPath") or ""))
                is_read_only = source.get("FileSystemAccessMode") != "rw"
                yield Mount(f"{CHANNELS}/{channel['ChannelName']}", shared, read_only=is_read_only)
