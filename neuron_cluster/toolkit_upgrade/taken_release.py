"""Takes another release: its version in ``requirements.txt``, and the unedited files of ``init``; all or nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from neuron_cluster.atomic_write import write_atomically
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.errors import ToolkitError
from neuron_cluster.pinned_toolkit.pin_edit import repinned
from neuron_cluster.pinned_toolkit.requirement import wheel_line
from neuron_cluster.pinned_toolkit.requirements_file import FILE
from neuron_cluster.toolkit_upgrade.release import Release
from neuron_cluster.toolkit_upgrade.repository_files import FileUpgrade

Content = bytes | None
"""The content of a file; None where there is none."""


def take_release(root: Path, release: Release, files: Sequence[FileUpgrade], catalog: Catalog) -> list[str]:
    """Writes the files and returns their names. Raises ``ToolkitError`` where one cannot be written, or was edited.

    Those that were written before are then restored.
    """
    pin = changed_pin(root, release, catalog)
    changes = {**{each.path: (each.before, each.after) for each in files if each.is_written}, **pin}
    _write(root, changes)
    return list(changes)


def changed_pin(root: Path, release: Release, catalog: Catalog) -> dict[str, tuple[Content, Content]]:
    """Files that require the release, before and after: its wheel too, where the repository has wheels.

    Raises ``ToolkitError`` where the line cannot be edited, or the wheel is not known.
    """
    before, after = repinned(root, release.version, catalog, has_wheel=release.wheel is not None)
    if before == after:
        return {}
    line = wheel_line(release.version)
    if line not in after.decode():
        return {FILE: (before, after)}
    if release.wheel is None:
        message = f"{FILE} names a wheel, and that of release {release.version} is not known; nothing was written"
        raise ToolkitError(message, hint="name the file of that release with --wheel FILE")
    name = line.removeprefix("./")
    return {FILE: (before, after), name: (_content(root / name), release.wheel.read_bytes())}


def _write(root: Path, changes: Mapping[str, tuple[Content, Content]]) -> None:
    for name, (before, _) in changes.items():
        if _content(root / name) != before:
            message = f"{name} was written while the releases were compared; nothing was changed"
            raise ToolkitError(message, hint="run the command again, which compares it anew")
    written: list[str] = []
    try:
        for name, (_, after) in changes.items():
            written.append(name)
            _put(root / name, after)
    except BaseException:  # Ctrl-C too
        for name in written:
            _put(root / name, changes[name][0])
        raise


def _content(path: Path) -> Content:
    return path.read_bytes() if path.exists() else None


def _put(path: Path, content: Content) -> None:
    if content is None:
        if path.exists():
            path.unlink()
    elif _content(path) != content:
        write_atomically(path, content, with_folders=True)
