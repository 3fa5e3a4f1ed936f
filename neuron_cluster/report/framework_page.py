"""Frameworks by chip and Neuron SDK release, with where to find them and what replaces them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.chip import Chip
from neuron_cluster.catalog.container import Container
from neuron_cluster.catalog.framework import Framework, FrameworkSupport
from neuron_cluster.catalog.version import version_key
from neuron_cluster.report.plain_data import plain
from neuron_cluster.table import Table

RUNNING = ("supported", "beta", "maintenance")
NEVER = "-"
"""Range of releases of a framework that runs with none."""
ORDER = (*RUNNING, "not yet", "ended", "retired")
WHERE_NOTE = (
    "container: version and (SDK) of the newest. `catalog containers --chip {chip}` has the full names, "
    "`catalog dlamis --chip {chip}` the images with the environments, `catalog frameworks NAME` notes and sources"
)


class FrameworkResult(Struct, frozen=True, kw_only=True):
    """One framework on one chip with one release. ``environments`` are pairs of DLAMI and virtual environment."""

    framework: Framework
    chip: str
    sdk: str
    state: str
    sdk_range: str
    note: str | None
    environments: tuple[tuple[str, str], ...]
    containers: tuple[Container, ...]
    successor: str | None
    successor_in_words: str | None

    def as_data(self) -> dict[str, Any]:
        """Returns the row for programs: whole names, source and date."""
        row = self.framework
        environments = [
            {"dlami": dlami, "virtual_environment": environment} for dlami, environment in self.environments
        ]
        return {
            "name": row.name,
            "title": row.title,
            "purposes": plain(row.purposes),
            "chip": self.chip,
            "neuron_sdk": self.sdk,
            "state": self.state,
            "sdk_range": self.sdk_range if self.sdk_range != NEVER else None,
            "note": self.note,
            "virtual_environments": environments,
            "containers": [container.image for container in self.containers],
            "successor": self.successor,
            "source": row.source,
            "checked_on": plain(row.checked_on),
            "doubt": plain(row.doubt),
        }


def framework_results(catalog: Catalog, chip: Chip, sdk: str | None) -> list[FrameworkResult]:
    """Every framework that was ever made for the chip, those that run first. Without ``sdk``: with the newest one,
    and with all images; with it: with the images of this release."""
    found = [
        _answer(catalog, framework, chip, sdk)
        for framework in catalog.frameworks
        if any(chip.name in each.chips for each in framework.support)
    ]
    return sorted(found, key=lambda answer: ORDER.index(answer.state))


def _answer(catalog: Catalog, framework: Framework, chip: Chip, sdk: str | None) -> FrameworkResult:
    release = sdk or catalog.neuron_sdks.rows[0].name
    on_chip = [each for each in framework.support if chip.name in each.chips]
    now = framework.support_on(chip.name, release)
    return FrameworkResult(
        framework=framework,
        chip=chip.name,
        sdk=release,
        state=now.state if now is not None else _before_or_after(on_chip, release),
        sdk_range=describe_range(on_chip),
        note=now.note if now is not None else on_chip[-1].note,
        environments=tuple(
            (name, environment)
            for name, environment in framework.virtual_environments.items()
            if (dlami := catalog.dlamis.get(name)) is not None
            and sdk in (None, dlami.neuron_sdk)
            and not set(chip.families).isdisjoint(dlami.families)
        ),
        containers=tuple(
            row
            for row in catalog.containers
            if row.framework == framework.name
            and sdk in (None, row.neuron_sdk)
            and not set(chip.families).isdisjoint(row.families)
        ),
        successor=framework.successor_on(chip.name, release),
        successor_in_words=catalog.frameworks.successor_in_words(framework, chip, release),
    )


def _before_or_after(on_chip: list[FrameworkSupport], sdk: str) -> str:
    starts = [each.sdk_from for each in on_chip]
    is_before = all(start is not None and version_key(sdk) < version_key(start) for start in starts)
    return "not yet" if is_before else "ended"


def describe_range(on_chip: list[FrameworkSupport]) -> str:
    """The releases with which a framework runs: ``2.27.0-2.31.1``, ``2.33.0 on``, ``up to 2.31.1``, ``all``."""
    running = [each for each in on_chip if each.state in RUNNING]
    if not running:
        return NEVER
    starts, ends = [each.sdk_from for each in running], [each.sdk_until for each in running]
    first = None if None in starts else min((start for start in starts if start is not None), key=version_key)
    last = None if None in ends else max((end for end in ends if end is not None), key=version_key)
    if first is None:
        return "all" if last is None else f"up to {last}"
    if first == last:
        return first
    return f"{first} on" if last is None else f"{first}-{last}"


def results_table(answers: list[FrameworkResult], chip: Chip, sdk: str) -> Table:
    """One line for each framework."""
    rows = tuple(
        (answer.framework.name, answer.state, answer.sdk_range, "\n".join(_where(answer)) or "-") for answer in answers
    )
    columns = ("framework", f"with {sdk}", "runs with SDK", "DLAMI environment, container, successor")
    families = ", ".join(chip.families)
    return Table(f"{chip.title} ({families})", columns, rows, WHERE_NOTE.format(chip=chip.name))


def _where(answer: FrameworkResult) -> Iterator[str]:
    if answer.environments:
        yield ", ".join(dict.fromkeys(environment for _, environment in answer.environments))
    if answer.containers:
        newest = max(
            answer.containers, key=lambda row: (version_key(row.neuron_sdk), version_key(row.framework_version))
        )
        yield f"container {newest.framework_version} ({newest.neuron_sdk})"
    if answer.successor is not None:
        yield f"successor: {answer.successor_in_words}"


def overview_table(catalog: Catalog) -> Table:
    """Every framework on every chip: the state with the newest release, or the last release that ran it."""
    newest = catalog.neuron_sdks.rows[0].name
    rows = tuple((row.name, *(_in_a_word(row, chip, newest) for chip in catalog.chips)) for row in catalog.frameworks)
    note = (
        f"yes, beta, fixes (critical ones only): with SDK {newest}. A release: the last one that ran it. "
        "More with --chip CHIP, --sdk RELEASE or a NAME"
    )
    return Table("Frameworks", ("framework", *(chip.families[0] for chip in catalog.chips)), rows, note)


def _in_a_word(framework: Framework, chip: Chip, newest: str) -> str:
    on_chip = [each for each in framework.support if chip.name in each.chips]
    found = framework.support_on(chip.name, newest)
    if found is not None and found.state in RUNNING:
        return {"supported": "yes", "maintenance": "fixes"}.get(found.state, found.state)
    if any(each.state in RUNNING for each in on_chip):
        return describe_range(on_chip).removeprefix("up to ").rpartition("-")[2]
    return "retired" if on_chip else "-"
