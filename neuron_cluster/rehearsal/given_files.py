"""Files of this machine that a claim or a bucket has when a rehearsal starts."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path, PurePosixPath

from msgspec import Struct

from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.suggestions import did_you_mean_one_of

S3 = "s3://"
FORMS = "write CLAIM/PATH=FILE or s3://BUCKET/KEY=FILE; FILE may be a folder"


class GivenFile(Struct, frozen=True):
    """``root`` is a claim, or with ``is_object`` a bucket; ``source`` a file or folder of this machine."""

    root: str
    path: str
    is_object: bool
    source: Path

    def __str__(self) -> str:
        return f"{S3 if self.is_object else ''}{self.root}/{self.path} from {self.source}"


def read_given_file(text: str) -> GivenFile:
    """``CLAIM/PATH=FILE`` or ``s3://BUCKET/KEY=FILE``. Raises ``ToolkitError``."""
    place, _, source = text.partition("=")
    root, _, path = place.removeprefix(S3).partition("/")
    parts = PurePosixPath(path).parts
    if not source or not root or not parts or path.startswith("/") or ".." in (root, *parts):
        raise ToolkitError(f"--file {text!r} is not a place and a file", hint=FORMS)
    if not Path(source).exists():
        raise ToolkitError(f"--file {text!r}: there is no file {source}", hint=FORMS)
    return GivenFile(root, str(PurePosixPath(path)), place.startswith(S3), Path(source))


def require_claims(files: Iterable[GivenFile], claims: Collection[str], noun: str = "claim") -> None:
    """Raises ``ToolkitError`` for a file of a claim, or folder, that the workload does not mount."""
    for file in files:
        if not file.is_object and file.root not in claims:
            near = did_you_mean_one_of(file.root, claims)
            raise ToolkitError(
                f"--file {file.root}/{file.path}: the workload mounts no {noun} {file.root}",
                hint=f"{near}{noun}s that it mounts: {', '.join(sorted(claims)) or 'none'}",
            )


def put(files: Iterable[GivenFile], claims: Mapping[str, Path], buckets: Path) -> None:
    """Copies them to where programs find them. Raises ``ToolkitError`` for one that cannot be copied."""
    for file in files:
        target = (buckets / file.root if file.is_object else claims[file.root]) / file.path
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            if file.source.is_dir():
                shutil.copytree(file.source, target, dirs_exist_ok=True)
            else:
                shutil.copyfile(file.source, target)
        except (OSError, shutil.Error) as error:
            reason = error.strerror or str(error)
            raise ToolkitError(f"--file {file}: it cannot be copied: {reason}", hint=FORMS) from error
