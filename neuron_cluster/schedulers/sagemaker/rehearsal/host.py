"""One instance of a training job: its folders, its container, and what it copies from and to S3."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from neuron_cluster.rehearsal.container_process import ContainerProcess, ContainerSpec, Mount, start
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
CLOCK_FILE = "/run/clock"
"""Where programs/sitecustomize.py finds the time."""


class Network(Struct, frozen=True):
    """The names of all hosts of an attempt and their addresses on the loopback interface, in their order."""

    addresses: Mapping[str, str]
    file: Path
    """The /etc/hosts of all of them."""

    @classmethod
    def of(cls, hosts: tuple[str, ...], folder: Path) -> Network:
        """Writes the file."""
        addresses = {host: f"127.1.0.{number}" for number, host in enumerate(hosts, 1)}
        lines = "".join(f"{address} {host} {own_name(address)}\n" for host, address in addresses.items())
        file = folder / "hosts"
        file.write_text(f"127.0.0.1 localhost\n{lines}", encoding="ascii")
        return cls(addresses, file)


def own_name(address: str) -> str:
    """Returns the host name in a container, which "might be inaccurate": not the one in resourceconfig.json."""
    return f"ip-{address.replace('.', '-')}"


class Host:
    """``folder`` is its disk, which no other host sees and which ends with it."""

    def __init__(self, name: str, request: Mapping[str, Any], network: Network, folder: Path, store: Store) -> None:
        self.name, self._request, self._network, self._folder, self._store = name, request, network, folder, store
        self.process: ContainerProcess | None = None
        self.exit_code: int | None = None
        self.is_lost = self.is_killed = False
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

    def start(self, variables: Mapping[str, str], clock: Path, logs: Path, devices: int) -> ContainerProcess:
        """Raises ``OSError``."""
        root = self._folder / "root"
        root.mkdir()
        address = self._network.addresses[self.name]
        spec = ContainerSpec(
            command=command_of(self._request),
            environment={
                "REHEARSAL_CLOCK": CLOCK_FILE,
                "REHEARSAL_LOG": "/proc/1/fd/1",
                "REHEARSAL_ADDRESS": address,
                **variables,
                **variables_of(self._request),
            },
            host_name=own_name(address),
            user=0,
            group=0,
            working_directory="/",
            mounts=(*self._mounts(), Mount(CLOCK_FILE, clock, read_only=True)),
            hosts_file=self._network.file,
            neuron_devices=devices,
            log=logs / f"{self.name}.{self._folder.parent.name}.log",
        )
        self.process = start(spec, root)
        return self.process

    def signal(self, number: signal.Signals) -> None:
        """To the first process of the container; no effect on one that is lost or has ended."""
        if self.process is not None and not (self.is_lost and number is signal.SIGTERM):
            self.is_killed |= number is signal.SIGKILL
            self.process.signal(number)

    @property
    def notices_time(self) -> bool:
        """Whether its container runs, or is about to end. The programs of a lost host are frozen."""
        return self.process is not None and (self.is_killed or not self.is_lost)

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
