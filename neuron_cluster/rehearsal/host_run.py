"""Programs of hosts that are not pods: their containers, their clock, and the faults that hit them."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Mapping
from ipaddress import IPv4Address
from pathlib import Path

from msgspec import Struct

from neuron_cluster.rehearsal.agenda import Agenda
from neuron_cluster.rehearsal.clock import Clock
from neuron_cluster.rehearsal.container_process import ContainerProcess, ContainerSpec, Mount, start
from neuron_cluster.rehearsal.fault import Fault
from neuron_cluster.rehearsal.planned_faults import Middle, PlannedFaults
from neuron_cluster.rehearsal.program_events import PREFIX, ProgramEvents
from neuron_cluster.rehearsal.timeline import Timeline
from neuron_cluster.rehearsal.waiting import block_child_signals, ended_children, wait_for_next

FIRST_ADDRESS = IPv4Address("127.1.0.1")
CLOCK_FILE = "/run/clock"
"""Where programs/sitecustomize.py finds the time."""


class HostNetwork(Struct, frozen=True):
    """The names of all hosts of an attempt and their addresses on the loopback interface, in their order."""

    addresses: Mapping[str, str]
    file: Path
    """The /etc/hosts of all of them."""

    @classmethod
    def of(cls, hosts: Iterable[str], folder: Path, own_name: Callable[[str], str] = str) -> HostNetwork:
        """Writes the file. ``own_name`` returns the second name of the host with an address."""
        addresses = {host: str(FIRST_ADDRESS + number) for number, host in enumerate(hosts)}
        names = {host: dict.fromkeys((host, own_name(address))) for host, address in addresses.items()}
        lines = "".join(f"{address} {' '.join(names[host])}\n" for host, address in addresses.items())
        file = folder / "hosts"
        file.write_text(f"127.0.0.1 localhost\n{lines}", encoding="ascii")
        return cls(addresses, file)


class HostProgram(Struct, frozen=True, kw_only=True):
    """A program as root in a container of a host. ``name`` is that of the host, ``log`` the name of a file.

    ``commands`` and ``has_init`` as ``ContainerSpec`` has them.
    """

    name: str
    log: str
    command: tuple[str, ...]
    environment: Mapping[str, str]
    host_name: str
    mounts: tuple[Mount, ...]
    network: HostNetwork
    neuron_devices: int = 0
    working_directory: str = "/"
    commands: str = ""
    has_init: bool = False


class HostProcess:
    """A container that runs, or has run."""

    def __init__(self, process: ContainerProcess, log: Path) -> None:
        self._process, self._log = process, log
        self.exit_code: int | None = None
        """None while it runs."""
        self.is_frozen = self._is_killed = False

    def signal(self, number: signal.Signals) -> None:
        """To the first process. Frozen ones notice SIGKILL only, ended ones nothing."""
        if self.exit_code is not None or (self.is_frozen and number is not signal.SIGKILL):
            return
        self._is_killed |= number is signal.SIGKILL
        self._process.signal(number)

    @property
    def last_line(self) -> str:
        """The last line that it wrote, without reports to the rehearsal; empty without one."""
        lines = self._log.read_text(encoding="utf-8", errors="replace").splitlines()
        return next((line for line in reversed(lines) if line.strip() and not line.startswith(PREFIX.decode())), "")

    def kill_newest(self) -> None:
        """SIGKILL to the process that it started last, as the kernel kills a rank that takes too much memory."""
        self._process.kill_newest()

    def freeze(self) -> None:
        """Its processes stop, and their connections stay open."""
        self.is_frozen = True
        if self.exit_code is None:
            self._process.freeze()

    @property
    def notices_time(self) -> bool:
        """Whether it runs, or is about to end."""
        return self.exit_code is None and (self._is_killed or not self.is_frozen)

    @property
    def is_computing(self) -> bool:
        return self.notices_time and self._process.computes


class HostRun:
    """``folder`` gets the clock and the logs; ``cause`` as ``PlannedFaults`` has it."""

    def __init__(
        self,
        folder: Path,
        *,
        faults: Iterable[Fault],
        middle: Middle,
        cause: Callable[[Fault], None],
        progress: Callable[[float, str], None],
    ) -> None:
        self._folder = folder
        self.clock = Clock(folder / "clock")
        self.timeline = Timeline(self.clock)
        self.agenda = Agenda(self.clock)
        self.faults = PlannedFaults(faults, middle, agenda=self.agenda, timeline=self.timeline, cause=cause)
        (folder / "logs").mkdir()
        self.programs = ProgramEvents(
            folder / "logs", clock=self.clock, timeline=self.timeline, faults=self.faults, progress=progress
        )
        self._running: dict[int, tuple[HostProcess, Callable[[int], None]]] = {}
        block_child_signals()

    def start(self, program: HostProgram, root: Path, ended: Callable[[int], None]) -> HostProcess:
        """Starts it in the folder ``root``, which is created. ``ended`` gets the exit code. Raises ``OSError``."""
        root.mkdir(parents=True)
        spec = ContainerSpec(
            command=program.command,
            environment={
                **program.environment,
                "REHEARSAL_CLOCK": CLOCK_FILE,
                "REHEARSAL_LOG": "/proc/1/fd/1",
                "REHEARSAL_ADDRESS": program.network.addresses[program.name],
            },
            host_name=program.host_name,
            user=0,
            group=0,
            working_directory=program.working_directory,
            mounts=(*program.mounts, Mount(CLOCK_FILE, self._folder / "clock", read_only=True)),
            hosts_file=program.network.file,
            neuron_devices=program.neuron_devices,
            log=self._folder / "logs" / program.log,
            commands=program.commands,
            has_init=program.has_init,
        )
        container = start(spec, root)
        process = HostProcess(container, spec.log)
        self._running[container.watcher] = process, ended
        return process

    def wait(self) -> bool:
        """Waits for the next event, and lets it happen. Returns False when there can be none."""
        running = [process for process, _ in self._running.values()]
        goes_on = wait_for_next(
            self.clock,
            self.agenda,
            float("inf"),
            has_programs=any(process.notices_time for process in running),
            is_computing=lambda: any(process.is_computing for process in running),
        )
        if goes_on:
            for watcher, exit_code in ended_children():
                self._ended(watcher, exit_code)
            self.programs.record()
            self.agenda.run_due()
        return goes_on

    def pass_time(self, seconds: float, until: Callable[[], bool]) -> None:
        """Lets time pass in which no program runs. An action that makes ``until`` true ends it before."""
        moment = self.clock.now() + seconds
        while not until():
            following = self.agenda.next_moment
            if following is None or following > moment:
                self.clock.jump_to(moment)
                return
            self.clock.jump_to(following)
            self.agenda.run_due()

    def _ended(self, watcher: int, exit_code: int) -> None:
        found = self._running.pop(watcher, None)
        if found is not None:
            process, ended = found
            process.exit_code = exit_code
            ended(exit_code)
