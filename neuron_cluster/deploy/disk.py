"""Folders that are full or closed, in a sentence that names them."""

from __future__ import annotations

import errno
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from neuron_cluster.errors import ToolkitError

NEEDED_MIB = 250
"""MiB that a synthesis and a deploy write at most: the assembly (60 MiB), and files that CDK unpacks and packs."""
FULL_MIB = 64
"""With less free space than this a folder counts as full: the largest file of an assembly has 35 MiB."""

NO_SPACE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_FULL = re.compile(r"\bENOSPC\b|No space left on device|\bEDQUOT\b|Disk quota exceeded|\bEFBIG\b|File too large")
_FULL_AT_LOCAL_AWS = re.compile(r"The local AWS cannot write a file in (?P<path>[^\n]+?): No space left on device")
_CLOSED = re.compile(
    r"(?:\bEROFS\b|\bEACCES\b|Read-only file system|Permission denied)[^\n]*?['\"](?P<path>/[^'\"\n]+)['\"]"
)
_ELSEWHERE = "TMPDIR=DIR in front of the command names another folder for temporary files"


class DiskError(ToolkitError):
    """A folder that the command must write to is full, closed or missing."""

    finding_id = "E9526"


def unusable_folder(folder: Path | None, error: OSError | ValueError, another: str = "name another") -> DiskError:
    """A folder in which nothing can be made (none: the one for temporary files); ``another`` is how to avoid it."""
    if isinstance(error, OSError) and error.errno in NO_SPACE:
        return _full([folder or _temporary()])
    reason = getattr(error, "strerror", None) or str(error)
    if folder is None:
        return DiskError(f"no temporary file can be written: {reason}", hint=f"make it writable; {_ELSEWHERE}")
    return DiskError(f"nothing can be written in {str(folder)!r}: {reason}", hint=f"make it writable, or {another}")


def disk_failure(written: str, folders: Iterable[Path]) -> DiskError | None:
    """Why a child process failed, by what it wrote, if a full or closed disk is the reason; ``folders`` it wrote to."""
    if _FULL.search(written):
        return _full([_temporary(), *folders])
    closed = _CLOSED.search(written)
    if closed is None:
        return None
    return DiskError(f"{closed['path']} cannot be written", hint=f"make it writable, or name another; {_ELSEWHERE}")


def full_disk(written: str) -> DiskError | None:
    """The reason of a failure that speaks of a full disk: that of the local AWS, which names its folder, or ours."""
    local_aws = _FULL_AT_LOCAL_AWS.search(written)
    if local_aws and Path(local_aws["path"]).exists():
        return _full_disks({Path(local_aws["path"]): _free_mib(Path(local_aws["path"]))})
    return _full([_temporary()]) if _FULL.search(written) and _short([_temporary()]) else None


def _full(folders: Iterable[Path]) -> DiskError:
    short = _short(folders)
    if not short:
        hint = f"raise the limit (`ulimit -f unlimited`) or the quota; the command writes up to {NEEDED_MIB} MiB"
        return DiskError("a file could not be written: it exceeds a limit of this shell or a quota", hint=hint)
    return _full_disks(short)


def _full_disks(short: Mapping[Path, int]) -> DiskError:
    """``short``: the free MiB of each folder."""
    shown = ", ".join(f"{folder} ({mib} MiB free)" for folder, mib in short.items())
    elsewhere = f"; {_ELSEWHERE}" if _temporary() in short else ""
    hint = f"free {NEEDED_MIB} MiB there and run the command again{elsewhere}"
    return DiskError(f"the disk is full: {shown}", hint=hint)


def _short(folders: Iterable[Path]) -> dict[Path, int]:
    """MiB that are free, of the first folder on each file system that is full."""
    disks: dict[int, Path] = {}
    for folder in folders:
        existing = next((path for path in (folder, *folder.parents) if path.exists()), Path("/"))
        disks.setdefault(existing.stat().st_dev, existing)
    free = {folder: _free_mib(folder) for folder in disks.values()}
    return {folder: mib for folder, mib in free.items() if mib < FULL_MIB}


def _free_mib(folder: Path) -> int:
    return shutil.disk_usage(folder).free // 2**20


def _temporary() -> Path:
    """The folder for temporary files, without a try whether it can be written to."""
    return Path(os.environ.get("TMPDIR") or tempfile.tempdir or "/tmp")  # noqa: S108 - a name to show, no file
