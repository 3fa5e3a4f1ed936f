"""The processes of one container: its own mounts and user, and its command as the first process."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct

from neuron_cluster.rehearsal import namespaces
from neuron_cluster.rehearsal.beneath import opened_beneath
from neuron_cluster.rehearsal.namespaces import Namespace

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/alternatives", "/etc/ssl")
"""Folders and files of this machine that programs need, seen read-only."""
DEVICES = ("null", "zero", "full", "random", "urandom")
READ_ONLY_OF_PROC = ("acpi", "bus", "fs", "irq", "scsi", "sys", "sysrq-trigger")
"""Below /proc: root of this machine, also as another user of a container, could write there. Source: runc's default."""
MASKED_OF_PROC = ("kcore", "keys", "latency_stats", "sched_debug", "timer_list")
SECRETS_OF_MACHINE = "/etc/ssl/private"
PROGRAMS = Path(__file__).parent / "programs"
"""Replacements for third-party programs, and the clock of Python programs."""
PROGRAMS_IN_CONTAINER = "/rehearsal"
SERVERS = "/usr/sbin"
"""Where programs name sshd by its path. A system that has no folder of this name runs its own sshd."""
IMAGE_PROGRAMS = "/opt/bin"
"""Where images of Neuron have programs that charts name by their paths."""
PYTHON = Path(sys.base_prefix) / "bin"
"""The folder of the interpreter without a virtual environment, which starts in half the time."""
INIT = ("python3", "-I", "-S", f"{PROGRAMS_IN_CONTAINER}/init.py")
SEARCH_PATH = f"{PROGRAMS_IN_CONTAINER}/bin:{PYTHON}:/usr/local/bin:/usr/bin:/bin"
START_FAILED, SIGNALED = 128, 128
"""Exit status of a command that cannot be started, and what a signal's number is added to (as containerd has it)."""


class Mount(Struct, frozen=True):
    """A folder or file of this machine (``source``), or memory of ``size_bytes`` where that is None.

    ``below`` is a path in the source, where programs write: no link of it is followed.
    """

    target: str
    source: Path | None = None
    below: str = ""
    read_only: bool = False
    size_bytes: int | None = None


class ContainerSpec(Struct, frozen=True, kw_only=True):
    """The values that kubelet passes to the container runtime."""

    command: tuple[str, ...]
    environment: Mapping[str, str]
    host_name: str
    user: int
    group: int
    working_directory: str
    mounts: tuple[Mount, ...]
    hosts_file: Path
    neuron_devices: int
    log: Path
    commands: str = ""
    """A folder of the container that its search path begins with; "" for none."""
    has_init: bool = False
    """Whether process 1 is an init that passes SIGTERM on: process 1 itself ignores signals that it does not catch."""


class ContainerProcess(Struct, frozen=True):
    """``watcher`` ends with the container's exit status; ``first`` is the process that signals go to."""

    watcher: int
    first: int

    def signal(self, number: signal.Signals) -> None:
        """To the first process. Has no effect where the container ended in the meantime."""
        _send(self.first, number)

    def kill_newest(self) -> None:
        """SIGKILL to the process that was started last; to the first one where it has started none."""
        _send(max(_with_descendants(self.first)), signal.SIGKILL)

    def freeze(self) -> None:
        """Stops all processes; their connections stay open."""
        for process in _with_descendants(self.first):
            _send(process, signal.SIGSTOP)

    def thaw(self) -> None:
        """Lets them go on."""
        for process in _with_descendants(self.first):
            _send(process, signal.SIGCONT)

    @property
    def computes(self) -> bool:
        """Whether one of its processes runs or could run, and does not wait."""
        return any(_status(process)[:1] == ["R"] for process in _with_descendants(self.first))


def _send(process: int, number: signal.Signals) -> None:
    try:
        os.kill(process, number)
    except ProcessLookupError:
        return


def _with_descendants(first: int) -> list[int]:
    """Parents before their children."""
    found = [first]
    for process in found:
        try:
            children = (namespaces.PROC / str(process) / "task" / str(process) / "children").read_text(encoding="ascii")
        except (FileNotFoundError, ProcessLookupError):
            continue  # it ended in the meantime
        found += map(int, children.split())
    return found


def _status(process: int) -> list[str]:
    """The fields of /proc/PID/stat after the name: the state first."""
    try:
        text = (namespaces.PROC / str(process) / "stat").read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return []
    return text.rpartition(")")[2].split()


def start(spec: ContainerSpec, root: Path) -> ContainerProcess:
    """``root`` is an empty folder, where the container's file system is mounted. Raises ``OSError``."""
    reading, writing = os.pipe()
    watcher = os.fork()
    if watcher == 0:
        os.close(reading)
        _exit_with(lambda: _watch(spec, root, writing))
    os.close(writing)
    with os.fdopen(reading, encoding="ascii") as lines:
        first = lines.readline()
    if not first:
        os.waitpid(watcher, 0)
        raise OSError(f"the namespaces of {spec.host_name} cannot be created: {spec.log} has the reason")
    return ContainerProcess(watcher, int(first))


def _exit_with(work: Callable[[], int]) -> None:
    """Ends this process with the status that ``work`` returns; it never runs the code of its parent."""
    status = START_FAILED
    try:
        status = work()
    except OSError as error:
        _log(str(error))
    finally:
        os._exit(status)


def _log(message: str) -> None:
    """Into the container's log, which standard error is."""
    os.write(2, f"rehearsal: {message}\n".encode())


def _watch(spec: ContainerSpec, root: Path, parent: int) -> int:
    os.setsid()
    log = os.open(spec.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    for stream in (1, 2):
        os.dup2(log, stream)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    user, group = os.geteuid(), os.getegid()
    namespaces.unshare(Namespace.USER | Namespace.MOUNT | Namespace.PROCESS | Namespace.HOSTNAME)
    namespaces.map_user(spec.user, user, spec.group, group)
    hearing, ready = os.pipe()
    first = os.fork()
    if first == 0:
        os.close(parent)
        _exit_with(lambda: _become(spec, root, ready))
    os.read(hearing, 1)  # a signal before that would be lost
    os.write(parent, f"{first}\n".encode())
    os.close(parent)
    status = os.waitstatus_to_exitcode(os.waitpid(first, 0)[1])
    return status if status >= 0 else SIGNALED - status


def _become(spec: ContainerSpec, root: Path, ready: int) -> int:
    """Replaces this process by the container's command."""
    if spec.has_init:  # init.py unblocks it; without a handler process 1 would not get it
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    os.write(ready, b"1")
    namespaces.keep_mounts_private()
    namespaces.mount_memory(root)
    _mount_system(root, spec)
    for mount in spec.mounts:
        _mount(mount, root)
    namespaces.set_host_name(spec.host_name)
    namespaces.forbid_user_namespaces()
    namespaces.drop_capabilities()
    namespaces.enter_root(root)
    os.chdir(spec.working_directory)
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)
    environment = {"HOME": "/", "HOSTNAME": spec.host_name, **spec.environment}
    environment["PATH"] = ":".join(filter(None, (spec.commands, SEARCH_PATH, spec.environment.get("PATH"))))
    environment["PYTHONPATH"] = ":".join(filter(None, (PROGRAMS_IN_CONTAINER, environment.get("PYTHONPATH"))))
    command = (*INIT, *spec.command) if spec.has_init else spec.command
    try:
        os.execvpe(command[0], command, environment)  # noqa: S606  the workload's own program
    except OSError as error:
        _log(f"{command[0]}: {error.strerror}")
    return START_FAILED


def _mount_system(root: Path, spec: ContainerSpec) -> None:
    prefixes = {sys.prefix, sys.base_prefix} - {"/usr"}
    shown = [Path(each) for each in (*SYSTEM, *sorted(prefixes)) if Path(each).exists()]
    for path in shown:
        if path.is_symlink() and str(path) in SYSTEM:
            (root / path.relative_to("/")).symlink_to(path.readlink())
        else:
            _mount(Mount(str(path), path, read_only=True), root)
    for device in DEVICES:
        # Read-only is the file: root of this machine could change its mode.
        _mount(Mount(f"/dev/{device}", Path("/dev") / device, read_only=True), root)
    for number in range(spec.neuron_devices):
        (root / "dev" / f"neuron{number}").touch()
    _mount(Mount("/dev/shm", size_bytes=64 << 20), root)  # noqa: S108  as containerd has it
    (root / "dev" / "fd").symlink_to("/proc/self/fd")
    _mount(Mount(PROGRAMS_IN_CONTAINER, PROGRAMS, read_only=True), root)
    _mount(Mount(IMAGE_PROGRAMS, PROGRAMS / "opt", read_only=True), root)
    if not Path(SERVERS).is_symlink():
        _mount(Mount(SERVERS, PROGRAMS / "sbin", read_only=True), root)
    for folder in ("proc", "tmp"):
        (root / folder).mkdir(exist_ok=True)
    (root / "tmp").chmod(0o1777)
    if Path(SECRETS_OF_MACHINE).is_dir():
        _mount(Mount(SECRETS_OF_MACHINE, read_only=True), root)
    _mount_processes(root)
    etc = root / "etc"
    etc.mkdir(exist_ok=True)
    (etc / "passwd").write_text(f"user:x:{spec.user}:{spec.group}::/:/bin/sh\n", encoding="ascii")
    (etc / "group").write_text(f"user:x:{spec.group}:\n", encoding="ascii")
    (etc / "nsswitch.conf").write_text("passwd: files\ngroup: files\nhosts: files\n", encoding="ascii")
    _mount(Mount("/etc/hosts", spec.hosts_file, read_only=True), root)


def _mount_processes(root: Path) -> None:
    namespaces.mount_processes(root / "proc")
    for name in READ_ONLY_OF_PROC:
        if (root / "proc" / name).exists():
            _mount(Mount(f"/proc/{name}", root / "proc" / name, read_only=True), root)
    for name in MASKED_OF_PROC:
        if (root / "proc" / name).exists():
            _mount(Mount(f"/proc/{name}", Path(os.devnull), read_only=True), root)


def _mount(mount: Mount, root: Path) -> None:
    """A target may be in a volume: its path has no links either."""
    if mount.source is None:
        with opened_beneath(root, mount.target) as target:
            namespaces.mount_memory(target, size_bytes=mount.size_bytes, mode=0o1777)
    else:
        with opened_beneath(mount.source, mount.below) as source:
            is_file = not source.is_dir()
            with opened_beneath(root, mount.target, is_file=is_file) as target:
                namespaces.bind(source, target)
    if mount.read_only:
        with opened_beneath(root, mount.target) as mounted:
            namespaces.make_read_only(mounted)
