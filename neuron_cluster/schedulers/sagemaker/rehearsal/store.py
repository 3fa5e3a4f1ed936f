"""S3 as a folder of this machine: a folder for each bucket, with a file for each object."""

from __future__ import annotations

import shutil
from pathlib import Path

from neuron_cluster.errors import ToolkitError

S3 = "s3://"


class Store:
    """``folder`` has a folder for each bucket, and one for each file system, by its id."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, uri: str) -> Path:
        """The folder with the objects of an address. Raises ``ToolkitError`` for one that is not in S3.

        SageMaker takes a prefix word for word: without a slash at its end, ``runs/a`` is ``runs/a-2`` too
        (syne-tune/syne-tune#363). Here it is a folder in any case.
        """
        bucket, _, key = uri.removeprefix(S3).partition("/")
        if not uri.startswith(S3) or not bucket or ".." in key.split("/"):
            raise ToolkitError(f"{uri!r} is not an address in S3", hint="write s3://BUCKET/PREFIX/")
        return self.folder / bucket / key.strip("/")

    def file_system(self, identifier: str, path: str) -> Path:
        """A folder of a file system, which is created: a channel shows it to all hosts."""
        folder = self.folder / identifier / path.strip("/")
        folder.mkdir(parents=True, exist_ok=True)
        return folder


def files_below(folder: Path) -> dict[str, Path]:
    """Files by their path below the folder; none for a folder that does not exist."""
    return {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}


def copy(source: Path, target: Path) -> None:
    """As an object comes to S3: whole, or not at all."""
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{target.name}.uploading")
    shutil.copyfile(source, part)
    part.replace(target)


def delete(target: Path, prefix: Path) -> None:
    """An object, and the folders below the prefix that have no other: S3 has no folders."""
    target.unlink(missing_ok=True)
    for folder in target.parents:
        if folder == prefix:
            return
        try:
            folder.rmdir()
        except FileNotFoundError:
            continue
        except OSError:
            return


def download(source: Path, target: Path) -> None:
    """All objects below ``source``, or the one object that it is."""
    target.mkdir(parents=True, exist_ok=True)
    found = {source.name: source} if source.is_file() else files_below(source)
    for name, path in found.items():
        copy(path, target / name)
