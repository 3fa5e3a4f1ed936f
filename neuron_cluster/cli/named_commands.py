"""Commands in hints about a deploy name the environment: what compares templates does not know how it was given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from neuron_cluster.lock.paths import as_argument

if TYPE_CHECKING:
    from neuron_cluster.cli.environment import OpenedEnvironment
    from neuron_cluster.config.source_map import KeyPath
    from neuron_cluster.findings.finding import Finding
    from neuron_cluster.plan.cluster_plan import NodeGroupPlan
    from neuron_cluster.plan.storage_plan import HomePlan
    from neuron_cluster.plan.workstation_plan import WorkstationPlan


Keys = Mapping[tuple[str, str], tuple[str, ...]]
"""Keys of the file by stack and logical id; the last part may be the name of an item of a list."""


def named_commands(
    findings: Iterable[Finding], opened: OpenedEnvironment, keys: Keys, *, is_local: bool
) -> tuple[Finding, ...]:
    """The findings at their place in the file, with commands that can be run as they are, against the AWS asked."""
    file = as_argument(opened.file.shown_as)
    commands = {
        "neuron-cluster destroy NAME": f"neuron-cluster destroy{' --local' if is_local else ''} {file}",
        "neuron-cluster lock NAME": f"neuron-cluster lock{' --local' if is_local else ''} {file}",
        "--delete-data NAME": f"--delete-data {opened.plan.name}",
        "-c environment=NAME": f"-c environment={opened.name_for_app}",
        "deploy FILE --new-environment NAME": f"deploy {file} --new-environment {opened.plan.name}",
    }
    return tuple(_named(finding, opened, keys, commands) for finding in findings)


def _named(finding: Finding, opened: OpenedEnvironment, keys: Keys, commands: Mapping[str, str]) -> Finding:
    hint = finding.hint
    for command, named in commands.items():
        hint = hint.replace(command, named)
    key = keys.get((finding.location.file, finding.location.path))
    location = finding.location if key is None else opened.locate(_positions(key, opened))
    return msgspec.structs.replace(finding, hint=hint, location=location)


def _positions(key: tuple[str, ...], opened: OpenedEnvironment) -> KeyPath:
    """The key with the position of an item of a list in the place of its name; the list of one that is gone."""
    groups = opened.plan.eks.node_groups if opened.plan.eks is not None else ()
    homes = opened.plan.storage.homes if opened.plan.storage is not None else ()
    lists: dict[tuple[str, ...], Sequence[NodeGroupPlan | WorkstationPlan | HomePlan]] = {
        ("eks", "node_groups"): groups,
        ("workstations",): opened.plan.workstations,
        ("storage", "homes"): homes,
    }
    items = lists.get(key[:-1])
    if items is None:
        return key
    return next((item.path for item in items if item.name == key[-1]), key[:-1])
