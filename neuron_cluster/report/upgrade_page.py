"""An upgrade as a page: what moves, what breaks, what comes first, what the file becomes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from neuron_cluster.compile_cache.fillers import CacheFiller
from neuron_cluster.config.source_map import format_path
from neuron_cluster.findings.text import listed
from neuron_cluster.protocol.upgrade_step import UpgradeStep
from neuron_cluster.report.catalog_table import DOUBT_MARK
from neuron_cluster.report.compile_cache_page import empty_cache_words
from neuron_cluster.report.plain_data import plain
from neuron_cluster.report.text_page import Pairs, TextPage
from neuron_cluster.table import Table
from neuron_cluster.upgrade.upgrade import HostMove, Upgrade


def components_table(upgrade: Upgrade) -> Table:
    """Part by part. What stays is a line below; host systems are listed with breaking changes, where one is dropped."""
    shown = [move for move in upgrade.components if move.part != "host_operating_systems"]
    rows = tuple(
        (move.title, _marked(move.before, move.doubt_before), _marked(move.after, move.doubt_after))
        for move in shown
        if move.kind != "stays"
    )
    staying = [_marked(move.title, move.doubt_before or move.doubt_after) for move in shown if move.kind == "stays"]
    in_doubt = {upgrade.before: any(move.doubt_before for move in shown)}
    in_doubt |= {upgrade.after: any(move.doubt_after for move in shown)}
    commands = [f"`neuron-cluster catalog sdk {release}`" for release, is_doubtful in in_doubt.items() if is_doubtful]
    notes = [f"The same in both: {'; '.join(staying)}."] if staying else []
    notes += [f"?: doubtful; the reason is in {listed(commands)}."] if commands else []
    note = " ".join(notes)
    return Table(f"Neuron SDK {upgrade.before} to {upgrade.after}", ("part", upgrade.before, upgrade.after), rows, note)


def _marked(text: str, doubt: str | None) -> str:
    return f"{text}{DOUBT_MARK}" if doubt else text


def upgrade_page(upgrade: Upgrade, steps: Sequence[UpgradeStep], fillers: Sequence[CacheFiller]) -> TextPage:
    """Everything but the table of parts. ``steps`` are those of providers, ``fillers`` of the compile cache."""
    left = ("What breaks, or could not be checked", _failures(upgrade))
    to_do = ("What you do beside the edits", tuple(_step_line(step) for step in steps))
    if not upgrade.is_different:
        lead = f"already at Neuron SDK {upgrade.after}; the file does not change"
        return TextPage(upgrade.environment, lead, lists=(left, to_do))
    return TextPage(
        upgrade.environment,
        f"{_direction(upgrade)}; from the catalog, without AWS calls",
        lists=(
            left,
            ("What comes first", _order(upgrade)),
            ("Compute groups and workstations", tuple((host.name, _host_line(host)) for host in upgrade.hosts)),
            to_do,
            ("Compile cache", _cache_lines(upgrade, fillers)),
            ("Edits of the file", _edit_lines(upgrade)),
        ),
    )


def _direction(upgrade: Upgrade) -> str:
    if upgrade.direction == "same":
        return f"stays at Neuron SDK {upgrade.after}"
    step = "downgrade " if upgrade.direction == "downgrade" else ""
    return f"{step}from Neuron SDK {upgrade.before} to {upgrade.after}"


def _failures(upgrade: Upgrade) -> Pairs:
    return tuple((format_path(each.path), f"{each.what}: {each.then}") for each in upgrade.breaks)


def _edit_lines(upgrade: Upgrade) -> Pairs:
    return tuple((format_path(each.path), f"{each.before} -> {each.after}: {each.why}") for each in upgrade.edits)


def _cache_lines(upgrade: Upgrade, fillers: Sequence[CacheFiller]) -> Pairs:
    return ((upgrade.empty_cache, empty_cache_words(upgrade.environment, fillers)),) if upgrade.empty_cache else ()


def _order(upgrade: Upgrade) -> Pairs:
    """One line for all hosts of one order."""
    by_words: dict[str, list[str]] = {}
    for host in upgrade.hosts:
        doubt = f" (in doubt: {host.rollout.doubt})" if host.rollout.doubt else ""
        by_words.setdefault(f"{host.rollout.description}{doubt}", []).append(host.name)
    return tuple((", ".join(names), description) for description, names in by_words.items())


def _host_line(host: HostMove) -> str:
    image = host.image_before if host.image_before == host.image_after else f"{host.image_before} -> {host.image_after}"
    return f"{image}: {host.what}"


def _step_line(step: UpgradeStep) -> tuple[str, str]:
    return format_path(step.path), f"{step.what}: {step.then}"


def upgrade_as_data(upgrade: Upgrade, steps: Sequence[UpgradeStep]) -> dict[str, Any]:
    """Returns the document of ``--format json``; key paths are spelled as findings spell them."""
    data: dict[str, Any] = {**plain(upgrade), "is_different": upgrade.is_different}
    data["steps"] = [{"path": format_path(each.path), "what": each.what, "then": each.then} for each in steps]
    for part in ("breaks", "hosts", "edits"):
        for row, made in zip(getattr(upgrade, part), data[part], strict=True):
            made["path"] = format_path(row.path)
    for move, made in zip(upgrade.components, data["components"], strict=True):
        made["kind"] = move.kind
    for host, made in zip(upgrade.hosts, data["hosts"], strict=True):
        made["order"] = host.rollout.description
    return data
