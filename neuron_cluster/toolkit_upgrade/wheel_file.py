"""The wheel of a release: its name, and the digest of the bytes that are then installed."""

from __future__ import annotations

import hashlib
from pathlib import Path

from msgspec import Struct
from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename

from neuron_cluster.errors import ToolkitError
from neuron_cluster.pinned_toolkit.requirement import DISTRIBUTION


class WheelFile(Struct, frozen=True):
    """Content that was read once: what is shown, installed and written is the same."""

    name: str
    version: str
    content: bytes
    is_of_index: bool = False
    """Whether pip took it from a package index, and not from a file, a folder or a URL of the user."""

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    @property
    def folder(self) -> str:
        """Name of the folder of its installation: two wheels can have the same version."""
        return f"{self.version}-{self.sha256}"


def read_wheel(path: Path, shown: str, *, is_of_index: bool = False) -> WheelFile:
    """``shown`` is the name of the file in messages.

    Raises ``ToolkitError`` for a file that cannot be read, and for one that is not a wheel of the toolkit.
    """
    try:
        name, version, _, _ = parse_wheel_filename(path.name)
        content = path.read_bytes()
    except InvalidWheelFilename as error:
        hint = f"the name of a wheel of the toolkit is {DISTRIBUTION.replace('-', '_')}-VERSION-py3-none-any.whl"
        raise ToolkitError(f"{shown} is not the name of a wheel", hint=hint) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ToolkitError(f"{shown} cannot be read: {reason}", hint="name a wheel that exists") from error
    if name != canonicalize_name(DISTRIBUTION):
        raise ToolkitError(f"{shown} is a wheel of {name}", hint=f"name a wheel of {DISTRIBUTION}")
    return WheelFile(path.name, str(version), content, is_of_index)
