"""Code and layers of functions as folders, unpacked once per content."""

from __future__ import annotations

import hashlib
import io
import stat
import threading
import zipfile
from collections.abc import Iterable
from pathlib import Path

from local_aws.lambda_runtime.function import CannotRun

MOST_BYTES = 262_144_000
"""The size of code with its layers. Source: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html"""
PERMISSIONS = 0o777


class UnpackedCode:
    """Folders below one that belongs to this process alone."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()

    def folder(self, archives: Iterable[bytes]) -> Path:
        """The content of the archives, of which a later one overwrites files of an earlier one.

        Raises CannotRun for what is no archive, is too large, or names files outside of its folder.
        """
        archives = tuple(archives)
        digests = b"".join(hashlib.sha256(archive).digest() for archive in archives)
        folder = self._folder / hashlib.sha256(digests).hexdigest()
        with self._lock:
            if not folder.exists():
                partial = folder.with_suffix(".partial")
                partial.mkdir(parents=True, exist_ok=True)
                for archive in archives:
                    _unpack(archive, partial)
                partial.rename(folder)
        return folder


def _unpack(archive: bytes, folder: Path) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as opened:
            if sum(member.file_size for member in opened.infolist()) > MOST_BYTES:
                raise CannotRun(f"Unzipped size must be smaller than {MOST_BYTES} bytes")
            for member in opened.infolist():
                if not (folder / member.filename).resolve().is_relative_to(folder.resolve()):
                    raise CannotRun(f"The archive has a file outside of its folder: {member.filename}")
                path = Path(opened.extract(member, folder))
                mode = (member.external_attr >> 16) & PERMISSIONS
                if path.is_file() and mode:
                    path.chmod(mode | stat.S_IRUSR | stat.S_IWUSR)
    except (zipfile.BadZipFile, OSError) as error:
        raise CannotRun(f"Could not unzip uploaded file: {error}") from error
