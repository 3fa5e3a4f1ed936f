"""Teams in the text of a template, with equal quotas of the Neuron devices of its node group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.text import counted
from neuron_cluster.starter.block_edit import with_keys
from neuron_cluster.upgrade.file_edit import scalar_values

QUEUE = "jobs"
COMMENT = (
    "# Teams share the Neuron devices of the node group: the quotas are those at count.max. docs/teams.md has the",
    "# other keys.",
)
NO_MEMBERS = "    # IAM roles of the members, by ARN with the path. An empty list: none so far."


def with_teams(text: str, path: KeyPath, teams: Sequence[str], catalog: Catalog) -> str:
    """The text with these teams in place of those that it has. Raises ``ToolkitError`` for more teams than devices."""
    if not teams:
        return text
    if path[0] == "workstations":
        message = "--team: a team has namespaces and a quota in a cluster, and the template has workstations alone"
        raise ToolkitError(message, hint="choose another template: `neuron-cluster init --list-templates`")
    values = scalar_values(text)
    if (*path, "queue") not in values:
        text = with_keys(text, path, {"queue": (f"queue: {QUEUE}",)}, after="count")
    quotas = quotas_of(teams, int(values[(*path, "count", "max")]), values[(*path, "instance_type")], catalog)
    section = [*COMMENT, "teams:", *_teams(quotas, values[(*path, "name")])]
    if any(key[0] == "teams" for key in values):
        return with_keys(text, (), {"teams": section})
    return f"{text}\n" + "\n".join(section) + "\n"


def quotas_of(teams: Sequence[str], nodes: int, instance_type: str, catalog: Catalog) -> dict[str, int]:
    """Neuron devices of each team: whole nodes where there are enough, and the first team has what is left.

    Raises ``ToolkitError`` for more teams than devices.
    """
    row = catalog.instance_type(instance_type)
    of_one = (row.neuron_devices if row is not None else None) or 1
    unit = of_one if nodes >= len(teams) else 1
    units = nodes * of_one // unit
    share, rest = divmod(units, len(teams))
    if not share:
        devices, most = counted(units, "Neuron device"), counted(units, "team")
        message = f"{len(teams)} teams cannot share {devices} ({nodes} x {instance_type}): each needs one at least"
        raise ToolkitError(message, hint=f"name {most} at most, or more --devices")
    return {team: unit * (share + (rest if at == 0 else 0)) for at, team in enumerate(teams)}


def _teams(quotas: dict[str, int], group: str) -> Iterator[str]:
    for team, devices in quotas.items():
        yield f"  - name: {team}"
        if team == next(iter(quotas)):
            yield NO_MEMBERS
        yield "    members: []"
        yield "    namespaces:"
        yield f"      - name: {team}"
        yield "    quota:"
        yield f"      - {{node_group: {group}, devices: {devices}}}"
