"""Changes the release that ``requirements.txt`` requires; the rest of the file stays byte for byte."""

from __future__ import annotations

import re
from pathlib import Path

from neuron_cluster.bounded_file import read_bounded
from neuron_cluster.errors import ToolkitError
from neuron_cluster.pinned_toolkit.requirement import DISTRIBUTION, FILE, requirements_in

_LINE = re.compile(r"(?P<name>\s*[\w.-]+\s*(?:\[[^\]]*\])?\s*)(?P<specifiers>[^;#\\-]*?)(?P<rest>\s*(?:;.*|\s#.*)?)")


def repinned(root: Path, version: str) -> tuple[bytes, bytes]:
    """Content of the file before and after; the same where its line allows the version already.

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
    if found[0].specifiers.contains(version, prereleases=True):
        return content, content
    line = lines[found[0].line - 1]
    text = line.rstrip("\r\n")
    parts = _LINE.fullmatch(text)
    if parts is not None:
        text_after = f"{parts['name']}=={version}{parts['rest']}"
        lines[found[0].line - 1] = text_after + line[len(text) :]
    after = "".join(lines)
    if [str(each.specifiers) for each in requirements_in(after)] != [f"=={version}"]:
        raise _not_editable(root, version, f"line {found[0].line} has hashes or goes on in the next line")
    return content, after.encode()


def _not_editable(root: Path, version: str, reason: str) -> ToolkitError:
    hint = f"write {DISTRIBUTION}=={version} there in an editor, without --write"
    return ToolkitError(f"the release in {root / FILE} cannot be changed: {reason}; nothing was written", hint=hint)
