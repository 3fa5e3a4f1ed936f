"""Commands in hints about a deploy name the environment: the comparison of templates has no access to the arguments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from neuron_cluster.changes.source_key import item_lists
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.findings.commands import Command, of_environment, render
from neuron_cluster.findings.finding import Finding
from neuron_cluster.lock.paths import as_argument
from neuron_cluster.opened_environment import OpenedEnvironment
from neuron_cluster.plan.compute_group_plan import ComputeGroupPlan
from neuron_cluster.plan.storage_plan import HomePlan

Keys = Mapping[tuple[str, str, str], tuple[str, ...]]
"""Keys of the file by stack, logical id and id of a finding; the last part may be the name of an item of a list."""


def named_commands(
    findings: Iterable[Finding], opened: OpenedEnvironment, keys: Keys, *, is_local: bool
) -> tuple[Finding, ...]:
    """The findings at their place in the file, with commands that can be run as they are, against the AWS in use."""
    file = as_argument(opened.file.display_name)
    commands = of_environment(
        file,
        opened.plan.name,
        name_for_app=opened.name_for_app,
        is_local=is_local,
        has_packages=(opened.project.root / "package.json").exists(),
    )
    return tuple(_named(finding, opened, keys, commands) for finding in findings)


def _named(finding: Finding, opened: OpenedEnvironment, keys: Keys, commands: Mapping[Command, str]) -> Finding:
    key = keys.get((finding.location.file, finding.location.path, finding.id))
    location = finding.location if key is None else opened.locate(_positions(key, opened))
    return msgspec.structs.replace(finding, hint=render(finding.hint, commands), location=location)


def _positions(key: tuple[str, ...], opened: OpenedEnvironment) -> KeyPath:
    """The key with the position of an item of a list in the place of its name; the list of one that is gone."""
    homes = opened.plan.storage.homes if opened.plan.storage is not None else ()
    items: tuple[ComputeGroupPlan | HomePlan, ...] = (*opened.plan.compute_groups, *homes)
    paths: dict[tuple[str | int, ...], KeyPath] = {(*item.path[:-1], item.name): item.path for item in items}
    return paths.get(key, key[:-1] if key[:-1] in item_lists() else key)
