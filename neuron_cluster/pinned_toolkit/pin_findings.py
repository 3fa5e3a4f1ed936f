"""E1061 and W1060: the running toolkit is not a release that the repository requires. W1062: its name is bare."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.pinned_toolkit.requirement import (
    DISTRIBUTION,
    WHEELS,
    ToolkitRequirement,
    bare_name,
    toolkit_requirements,
    wheel_line,
)
from neuron_cluster.pinned_toolkit.requirements_file import FILE

if TYPE_CHECKING:
    from packaging.specifiers import Specifier
    from packaging.version import Version

    from neuron_cluster.catalog.catalog import Catalog


def pin_findings(root: Path, catalog: Catalog, shown: str = FILE) -> list[Finding]:
    """At most one. ``root`` is the folder of the project, ``shown`` the name that the finding gives the file."""
    found = (_finding(root, each, shown, catalog) for each in toolkit_requirements(root))
    return [finding for finding in (*found, _bare_name(root, shown, catalog)) if finding is not None][:1]


def _finding(root: Path, requirement: ToolkitRequirement, shown: str, catalog: Catalog) -> Finding | None:
    from importlib.metadata import version  # takes longer than all else of a repository without a pin

    from packaging.version import Version

    running = Version(version(DISTRIBUTION))
    missed = (each for each in requirement.specifiers if not each.contains(running, prereleases=True))
    specifier = next(missed, None)
    if specifier is None or specifier.operator in {"!=", "==="}:
        return None
    place = Location(shown, requirement.line)
    message = f"the repository requires {DISTRIBUTION} {requirement.specifiers}, and {running} is running"
    is_name = not requirement.wheel and bare_name(root, catalog) is None  # of an index of the user, or with a hash
    line = f"{DISTRIBUTION}=={running}" if is_name else wheel_line(str(running))
    if _requires_newer(specifier, running):
        hint = f"install that release: `pip install -r {shown}`; or change the line to {line}"
        return Finding("E1061", place, message, hint)
    hint = (
        f"`neuron-cluster upgrade-toolkit` shows what {running} changes; then change the line to "
        f"{line}, or install that release: `pip install -r {shown}`"
    )
    return Finding("W1060", place, message, hint)


def _bare_name(root: Path, shown: str, catalog: Catalog) -> Finding | None:
    line = bare_name(root, catalog)
    if line is None:
        return None
    from importlib.metadata import version  # as above

    pinned = {each.version for one in toolkit_requirements(root) for each in one.specifiers if each.operator == "=="}
    wheel = wheel_line(next(iter(pinned), version(DISTRIBUTION)))
    message = (
        f"{DISTRIBUTION} is required by its bare name: pip installs what any index has under it, and on PyPI every "
        "user may upload such a package"
    )
    hint = f"put the wheel of the toolkit in {WHEELS}/ of the repository, and change the line to {wheel}"
    place = shown if line.file == FILE else str(Path(shown).parent / line.file)
    return Finding("W1062", Location(place, line.number), message, hint)


def _requires_newer(specifier: Specifier, running: Version) -> bool:
    from packaging.version import Version

    if specifier.operator in {"<", "<="}:
        return False
    return specifier.operator == ">" or Version(specifier.version.removesuffix(".*")) > running
