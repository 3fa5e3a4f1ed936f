"""Teams in the text of a template, with quotas of the Neuron devices of its node groups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.config.fields import fields_at
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.text import counted
from neuron_cluster.starter.block_edit import with_keys, without_item
from neuron_cluster.starter.device_shares import Devices, devices_of, equal_shares
from neuron_cluster.upgrade.file_edit import scalar_values

QUEUE = "jobs"
COMMENT = (
    "# Teams share the Neuron devices of node groups with a queue: the quotas are those at count.max. docs/teams.md",
    "# has the other keys.",
)
COMMENT_WITHOUT_QUOTAS = "# Each team is one user of all nodes. `neuron-cluster plan` lists them."
NO_MEMBERS = "    # IAM roles of the members, by ARN with the path. An empty list: none so far."
Values = Mapping[KeyPath, str]


def with_teams(text: str, path: KeyPath, teams: Sequence[str], catalog: Catalog) -> str:
    """The text with these teams in place of those that it has, whose own instances are removed too.

    Raises ``ToolkitError`` for more teams than devices.
    """
    if not teams:
        return text
    if path[0] == "workstations":
        message = "--team: teams share a cluster, and the template has workstations alone"
        raise ToolkitError(message, hint="choose another template: `neuron-cluster init --list-templates`")
    before = scalar_values(text)
    if "queue" not in fields_at(path):  # a cluster whose groups have no queue of Kueue, and teams no quota
        section = [COMMENT_WITHOUT_QUOTAS, "teams:", *_teams(teams)]
    else:
        if (*path, "queue") not in before:
            text = with_keys(text, path, {"queue": (f"queue: {QUEUE}",)}, after="count")
        section = [*COMMENT, "teams:", *_teams(teams, _quotas(teams, path, before, catalog))]
    if not any(key[0] == "teams" for key in before):
        return f"{text}\n" + "\n".join(section) + "\n"
    text = with_keys(text, (), {"teams": section})
    for place in sorted(_of_other_teams(before, teams), reverse=True):  # from the end, so that the paths stay valid
        text = without_item(text, place)
    return text


def devices_at(path: KeyPath, values: Values, catalog: Catalog) -> Devices:
    """Returns the devices of a node group at ``count.max``."""
    nodes = int(values.get((*path, "count", "max"), "0"))
    return devices_of(values[(*path, "instance_type")], nodes, catalog)


def _quotas(teams: Sequence[str], path: KeyPath, values: Values, catalog: Catalog) -> dict[str, dict[str, int]]:
    """Devices of each team by node group: of that at the path, and of others with a queue and a device for each team.

    Raises ``ToolkitError`` for more teams than devices of that at the path.
    """
    groups = [path, *(key[:-1] for key in values if key[-1] == "queue" and key[:-2] == path[:-1] and key[:-1] != path)]
    quotas: dict[str, dict[str, int]] = {team: {} for team in teams}
    for group in groups:
        devices = devices_at(group, values, catalog)
        for team, share in equal_shares(tuple(teams), devices).items():
            if share:
                quotas[team][values[(*group, "name")]] = share
            elif group == path:
                raise _too_many(teams, devices, values[(*group, "instance_type")])
    return quotas


def _too_many(teams: Sequence[str], devices: Devices, instance_type: str) -> ToolkitError:
    what, most = counted(devices.all, "Neuron device"), counted(devices.all, "team")
    message = f"{len(teams)} teams cannot share {what} ({devices.nodes} x {instance_type}): each needs one at least"
    return ToolkitError(message, hint=f"name {most} at most, or more --devices")


def _of_other_teams(values: Values, teams: Sequence[str]) -> Iterator[KeyPath]:
    """Instances of teams of the template that are not among ``teams``."""
    examples = {value for key, value in values.items() if key[0] == "teams" and key[2:] == ("name",)}
    for key, value in values.items():
        if key[0] != "teams" and key[-1] == "team" and value in examples.difference(teams):
            yield key[:-1]


def _teams(teams: Sequence[str], quotas: Mapping[str, Mapping[str, int]] | None = None) -> Iterator[str]:
    """``quotas`` by team; None for a cluster without Kubernetes, where a team has no namespace."""
    for team in teams:
        yield f"  - name: {team}"
        if team == teams[0]:
            yield NO_MEMBERS
        yield "    members: []"
        if quotas is None:
            continue
        yield "    namespaces:"
        yield f"      - name: {team}"
        yield "    quota:"
        for group, devices in quotas[team].items():
            yield f"      - {{node_group: {group}, devices: {devices}}}"
