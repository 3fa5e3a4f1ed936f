"""Changes the release that ``requirements.txt`` requires; the rest of the file stays byte for byte."""

from __future__ import annotations

import re
from pathlib import Path

from neuron_cluster.bounded_file import read_bounded
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.errors import ToolkitError
from neuron_cluster.pinned_toolkit.requirement import ToolkitRequirement, bare_name, requirements_in, wheel_line
from neuron_cluster.pinned_toolkit.requirements_file import FILE

_LINE = re.compile(r"(?P<name>\s*[\w.-]+\s*(?:\[[^\]]*\])?\s*)(?P<specifiers>[^;#\\-]*?)(?P<rest>\s*(?:;.*|\s#.*)?)")

_EXTRAS = re.compile(r"\[[^\]]*\]")


def repinned(root: Path, version: str, catalog: Catalog, *, has_wheel: bool = False) -> tuple[bytes, bytes]:
    """Content of the file before and after; the same where its line allows the version already.

    With ``has_wheel`` a bare name becomes the wheel, which no package of that name in an index can replace.

    Raises ``ToolkitError`` where no line, or more than one, has a version, and where the line cannot be edited.
    """
    try:
        content = read_bounded(root / FILE)
        lines = content.decode().splitlines(keepends=True)
    except (OSError, ValueError) as error:
        raise _not_editable(root, version, "it cannot be read") from error
    found = list(requirements_in("".join(lines)))
    if len(found) != 1:
        raise _not_editable(root, version, "no line has a version" if not found else "several lines have a version")
    as_wheel = bool(found[0].wheel) or (has_wheel and bare_name(root, catalog) is not None)
    if found[0].specifiers.contains(version, prereleases=True) and as_wheel == bool(found[0].wheel):
        return content, content
    line = lines[found[0].line - 1]
    text = line.rstrip("\r\n")
    lines[found[0].line - 1] = _edited(text, version, found[0], as_wheel=as_wheel) + line[len(text) :]
    after = "".join(lines)
    if found[0].sha256 or [str(each.specifiers) for each in requirements_in(after)] != [f"=={version}"]:
        raise _not_editable(root, version, f"line {found[0].line} has hashes, a URL, or goes on in the next line")
    return content, after.encode()


def _edited(text: str, version: str, requirement: ToolkitRequirement, *, as_wheel: bool) -> str:
    """The line with the other version; as it is where it cannot be edited."""
    if requirement.wheel:
        is_path = "://" not in requirement.wheel and "@" not in text
        return text.replace(requirement.wheel.partition("[")[0], wheel_line(version)) if is_path else text
    parts = _LINE.fullmatch(text)
    if parts is None:
        return text
    extras = "".join(_EXTRAS.findall(parts["name"]))
    return f"{wheel_line(version)}{extras}{parts['rest']}" if as_wheel else f"{parts['name']}=={version}{parts['rest']}"


def _not_editable(root: Path, version: str, reason: str) -> ToolkitError:
    hint = f"write {wheel_line(version)} there in an editor, without --write"
    return ToolkitError(f"the release in {root / FILE} cannot be changed: {reason}; nothing was written", hint=hint)
