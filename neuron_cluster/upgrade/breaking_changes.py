"""Software that works with one Neuron SDK release and not, or not certainly, with another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from neuron_cluster.catalog.version import version_key
from neuron_cluster.upgrade.component_moves import PARTS

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.framework import Framework
    from neuron_cluster.catalog.neuron_sdk import NeuronSdk
    from neuron_cluster.config.source_map import KeyPath
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class BreakingChange(Struct, frozen=True):
    """Something that works before and not after the upgrade, or was not checked. ``path`` is the key of the file."""

    path: KeyPath
    what: str
    then: str
    """The step of the user."""


def breaking_changes(
    environment: ResolvedEnvironment, before: NeuronSdk, after: NeuronSdk, catalog: Catalog
) -> tuple[BreakingChange, ...]:
    """All of them, unsupported devices first."""
    return (
        *_dropped_chips(environment, after, catalog),
        *_lost_frameworks(environment, before, after, catalog),
        *_no_more_tested(before, after),
        *_not_listed(before, after),
        *_not_known(after),
    )


def is_downgrade(before: NeuronSdk, after: NeuronSdk) -> bool:
    """Whether the second release is the older one."""
    return version_key(after.name) < version_key(before.name)


def _not(before: NeuronSdk, after: NeuronSdk, verb: str, infinitive: str) -> str:
    """``no longer lists``; an older release ``does not list``."""
    return f"does not {infinitive}" if is_downgrade(before, after) else f"no longer {verb}"


def _dropped_chips(environment: ResolvedEnvironment, after: NeuronSdk, catalog: Catalog) -> Iterator[BreakingChange]:
    for group in environment.compute_groups:
        row = group.instance_type
        chip = catalog.chips.get(row.chip) if row is not None and row.chip is not None else None
        if row is None or chip is None or chip.last_sdk is None:
            continue
        if version_key(after.name) > version_key(chip.last_sdk):
            to = f"move to {chip.successor}" if chip.successor is not None else "it has no successor"
            yield BreakingChange(
                (*group.path, "instance_type"),
                f"{row.name} has the chip generation {chip.title}, which no Neuron SDK release after "
                f"{chip.last_sdk} supports",
                f"{to}, or keep {chip.last_sdk} for these instances in a separate environment",
            )


def chips_of(environment: ResolvedEnvironment) -> tuple[str, ...]:
    """The chip generations of the environment's instances, without duplicates."""
    rows = [group.instance_type for group in environment.compute_groups]
    return tuple(dict.fromkeys(row.chip for row in rows if row is not None and row.chip is not None))


def _lost_frameworks(
    environment: ResolvedEnvironment, before: NeuronSdk, after: NeuronSdk, catalog: Catalog
) -> Iterator[BreakingChange]:
    """Each framework of the file; then all others that no longer run on the same chip generations."""
    config, chips = environment.config, chips_of(environment)
    lost = {
        row.name: [chip for chip in chips if row.runs_on(chip, before.name) and not row.runs_on(chip, after.name)]
        for row in catalog.frameworks
    }
    for position, name in enumerate(config.neuron.frameworks):
        row = catalog.frameworks.get(name)
        if row is not None and lost[name]:
            what = f"{row.title} {_not(before, after, 'runs', 'run')} on {', '.join(lost[name])}"
            yield BreakingChange(("neuron", "frameworks", position), what, _instead(row, lost[name][0], after, catalog))
    others: dict[tuple[str, ...], list[str]] = {}
    for row in catalog.frameworks:
        if lost[row.name] and row.name not in config.neuron.frameworks:
            others.setdefault(tuple(lost[row.name]), []).append(row.title)
    for on, titles in others.items():
        yield BreakingChange(
            ("neuron", "frameworks"),
            f"not listed in the file, but {'not' if is_downgrade(before, after) else 'no longer'} supported on "
            f"{', '.join(on)}: {'; '.join(titles)}",
            "list the frameworks of your workloads in neuron.frameworks, which are then checked",
        )


def _instead(row: Framework, chip: str, after: NeuronSdk, catalog: Catalog) -> str:
    successor = catalog.frameworks.get(row.successor) if row.successor is not None else None
    if successor is not None and successor.runs_on(chip, after.name):
        return f"port to {successor.title}"
    others = [
        each.title
        for each in catalog.frameworks
        if each.runs_on(chip, after.name) and not set(row.purposes).isdisjoint(each.purposes)
    ]
    stay = "keep images of an earlier release for it"
    return f"{stay}, or port to {' or '.join(others)}" if others else stay


def _no_more_tested(before: NeuronSdk, after: NeuronSdk) -> Iterator[BreakingChange]:
    """Python versions and host operating systems that the later release does not list."""
    for field, then in (
        ("python", "build virtual environments and images with one that it has"),
        ("host_operating_systems", "move hosts to one that it names"),
    ):
        old, new = getattr(before, field), getattr(after, field)
        gone = [each for each in old or () if each not in new] if new is not None else []
        if gone:
            yield BreakingChange(
                ("neuron", "sdk"),
                f"{after.name} {_not(before, after, 'lists', 'list')} {', '.join(gone)} among its {PARTS[field]}"
                + (" versions" if field == "python" else ""),
                f"{then}: {', '.join(new)}",
            )


def _not_listed(before: NeuronSdk, after: NeuronSdk) -> Iterator[BreakingChange]:
    """Packages that the list of the release does not name: another package or a container may still have them."""
    gone = [title for part, title in PARTS.items() if getattr(before, part) and part in after.absent]
    if gone:
        no_more = "do not" if is_downgrade(before, after) else "no longer"
        what = f"the packages that the catalog has of {after.name} {no_more} include {'; '.join(gone)}"
        then = "check where your images and scripts install them; another package or a container may have them"
        yield BreakingChange(("neuron", "sdk"), what, then)


def _not_known(after: NeuronSdk) -> Iterator[BreakingChange]:
    unknown = [part for part in ("driver", "runtime", "compiler") if getattr(after, part) is None]
    if unknown:
        yield BreakingChange(
            ("neuron", "sdk"),
            f"the catalog does not contain the {', '.join(unknown)} of {after.name}, so they were not checked",
            f"read the release notes of {after.name}; {after.source}",
        )
