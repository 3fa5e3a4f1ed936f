"""Linux namespaces of a rehearsal: its own network and processes, and for each container mounts and a user.

All calls are those of unshare(2), mount(2) and user_namespaces(7). No privilege is needed where the kernel lets users
create user namespaces.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import re
import socket
import struct
import sys
from collections.abc import Callable
from enum import IntEnum, IntFlag
from pathlib import Path

PROC = Path("/proc")
_ESCAPED = re.compile(rb"\\([0-7]{3})")


class Namespace(IntFlag):
    """Flags of unshare(2), as in linux/sched.h."""

    MOUNT = 0x00020000
    HOSTNAME = 0x04000000
    USER = 0x10000000
    PROCESS = 0x20000000
    NETWORK = 0x40000000


class Capability(IntEnum):
    """Numbers of capabilities, as in linux/capability.h, that the first process of a container may keep as root.

    Those of containerd's default, without device files and raw sockets. None changes a mount.
    """

    CHOWN = 0
    DAC_OVERRIDE = 1
    FOWNER = 3
    FSETID = 4
    KILL = 5
    SETGID = 6
    SETUID = 7
    SETPCAP = 8
    NET_BIND_SERVICE = 10
    SYS_CHROOT = 18
    AUDIT_WRITE = 29


class MountFlag(IntFlag):
    """Flags of mount(2), as in linux/mount.h."""

    READ_ONLY = 0x1
    NO_SET_UID = 0x2
    NO_DEVICES = 0x4
    NO_EXECUTION = 0x8
    REMOUNT = 0x20
    BIND = 0x1000
    RECURSIVE = 0x4000
    PRIVATE = 0x40000


LOCKED = {
    os.ST_RDONLY: MountFlag.READ_ONLY,
    os.ST_NOSUID: MountFlag.NO_SET_UID,
    os.ST_NODEV: MountFlag.NO_DEVICES,
    os.ST_NOEXEC: MountFlag.NO_EXECUTION,
}
"""Flags of a mount of the parent namespace that a remount must repeat (mount_namespaces(7))."""

DETACH = 2
"""MNT_DETACH of umount2(2)."""
DROP_FROM_BOUNDING_SET, SET_NO_NEW_PRIVILEGES = 24, 38
"""PR_CAPBSET_DROP and PR_SET_NO_NEW_PRIVS of prctl(2)."""
SIOCSIFFLAGS = 0x8914
INTERFACE_IS_UP = 0x1


def unshare(namespaces: Namespace) -> None:
    """Raises ``OSError``: EPERM or ENOSPC where the machine does not let this user create namespaces."""
    _call("unshare", int(namespaces))


def map_user(inside: int, outside: int, group_inside: int, group_outside: int) -> None:
    """Gives this process, in a new user namespace, the ids that its programs see. Raises ``OSError``."""
    (PROC / "self" / "setgroups").write_text("deny", encoding="ascii")
    (PROC / "self" / "uid_map").write_text(f"{inside} {outside} 1", encoding="ascii")
    (PROC / "self" / "gid_map").write_text(f"{group_inside} {group_outside} 1", encoding="ascii")


def keep_mounts_private() -> None:
    """No later mount is seen outside of this namespace. Raises ``OSError``."""
    _mount("none", "/", "", MountFlag.RECURSIVE | MountFlag.PRIVATE)


def bind(source: Path, target: Path) -> None:
    """Shows a file or folder at another path. Raises ``OSError``."""
    _mount(str(source), str(target), "", MountFlag.BIND | MountFlag.RECURSIVE)


def make_read_only(target: Path) -> None:
    """The mount at this path and those below it, which have flags of their own. Raises ``OSError``."""
    top = target.resolve()
    for each in (target, *sorted(point for point in _mount_points() if top in point.parents)):
        _remount_read_only(each)


def _remount_read_only(target: Path) -> None:
    present = os.statvfs(target).f_flag
    kept = [flag for bit, flag in LOCKED.items() if present & bit]
    flags = MountFlag.BIND | MountFlag.REMOUNT | MountFlag.READ_ONLY
    for flag in kept:
        flags |= flag
    _mount("none", str(target), "", flags)


def _mount_points() -> set[Path]:
    """Returns mount points of this namespace: the fifth field of proc_pid_mountinfo(5), with white space as octals."""
    lines = (PROC / "self" / "mountinfo").read_bytes().splitlines()
    fields = (line.split(b" ")[4] for line in lines)
    return {Path(os.fsdecode(_ESCAPED.sub(lambda found: bytes([int(found[1], 8)]), field))) for field in fields}


def enter_root(root: Path) -> None:
    """Makes a mount the root of this namespace, and takes the old one away: chroot(2) could be left by root.

    Raises ``OSError``.
    """
    os.chdir(root)
    _call("pivot_root", b".", b".")  # the old root is on top of the new one: see pivot_root(2)
    _call("umount2", b".", DETACH)
    os.chdir("/")


def forbid_user_namespaces() -> None:
    """In this user namespace: in one of its own a program would have all capabilities. Raises ``OSError``."""
    (PROC / "sys" / "user" / "max_user_namespaces").write_text("0", encoding="ascii")


def drop_capabilities() -> None:
    """All but ``Capability``, for what this process executes. Raises ``OSError``."""
    last = int((PROC / "sys" / "kernel" / "cap_last_cap").read_text(encoding="ascii"))
    for number in set(range(last + 1)) - set(Capability):
        _call("prctl", DROP_FROM_BOUNDING_SET, number, 0, 0, 0)
    _call("prctl", SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0)


def mount_memory(target: Path, *, size_bytes: int | None = None, mode: int = 0o755) -> None:
    """A file system in memory (tmpfs(5)), without a size limit where none is given. Raises ``OSError``."""
    limit = "" if size_bytes is None else f",size={size_bytes}"
    _mount("tmpfs", str(target), "tmpfs", MountFlag(0), f"mode={mode:o}{limit}")


def mount_processes(target: Path) -> None:
    """The processes of this namespace. Raises ``OSError``."""
    _mount("proc", str(target), "proc", MountFlag.NO_SET_UID | MountFlag.NO_DEVICES | MountFlag.NO_EXECUTION)


def set_host_name(name: str) -> None:
    """The name that programs of this namespace read. Raises ``OSError``."""
    socket.sethostname(name)


def raise_loopback() -> None:
    """Brings up the loopback interface of a new network namespace: all of 127.0.0.0/8. Raises ``OSError``."""
    request = struct.pack("16sh14x", b"lo", INTERFACE_IS_UP)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, request)


def why_unsupported() -> str | None:
    """Why no container can be started on this machine; None where it can. Tries it in a child process."""
    if not sys.platform.startswith("linux"):
        return "user and mount namespaces exist on Linux only"
    failed_at = in_child(_try_all)
    return None if not failed_at else f"the kernel does not allow it: {os.strerror(failed_at)} (see user_namespaces(7))"


def _try_all() -> int:
    try:
        user, group = os.geteuid(), os.getegid()
        unshare(Namespace.USER | Namespace.MOUNT | Namespace.PROCESS | Namespace.NETWORK)
        map_user(0, user, 0, group)
        keep_mounts_private()
        raise_loopback()
        return in_child(_try_processes)
    except OSError as error:
        return error.errno or 1


def _try_processes() -> int:
    try:
        mount_processes(PROC)
    except OSError as error:
        return error.errno or 1
    return 0


def in_child(work: Callable[[], int]) -> int:
    """The exit status of ``work``, run in a child process."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = work()
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _mount(source: str, target: str, kind: str, flags: MountFlag, options: str = "") -> None:
    _call("mount", source.encode(), target.encode(), kind.encode() or None, int(flags), options.encode() or None)


def _call(function: str, *arguments: bytes | int | None) -> None:
    library = ctypes.CDLL(None, use_errno=True)
    if getattr(library, function)(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{function}: {os.strerror(number)}")
