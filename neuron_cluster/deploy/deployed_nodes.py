"""Nodes of a deployed environment, and those of them that a command names."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.suggestions import did_you_mean_one_of
from neuron_cluster.findings.text import counted, listed
from neuron_cluster.protocol.nodes import Node, NodeAction, NodeQuery, NodeService
from neuron_cluster.protocol.registry import registered_operations

MOST_LISTED = 8
"""Nodes of a group that an error lists."""


class NoNodesError(ToolkitError):
    """No provider of the environment has such an action on nodes."""

    finding_id = "E9607"


class UnknownNodeError(ToolkitError):
    """The cluster has no node of this name; no request was made."""

    finding_id = "E9608"


class BusyNodeError(ToolkitError):
    """The service does not act on a node in its present status; no request was made."""

    finding_id = "E9609"


class ServedNodes(Struct, frozen=True):
    """All nodes of one provider of an environment."""

    service: NodeService
    nodes: tuple[Node, ...]


class ChosenNodes(Struct, frozen=True):
    """Nodes of one provider that a command names, and the action of its service on them."""

    action: NodeAction
    nodes: tuple[Node, ...]
    all: ServedNodes


def deployed_nodes(query: NodeQuery) -> tuple[ServedNodes, ...]:
    """Returns the nodes of each provider that lists them, in the order of the sections.

    Raises ``NoNodesError`` where no provider of the environment does, and ``ToolkitError`` without their cluster.
    """
    return tuple(ServedNodes(service, _nodes(query, service)) for service in _services(query, "list"))


def chosen_nodes(query: NodeQuery, verb: str, names: Sequence[str]) -> tuple[ChosenNodes, ...]:
    """Returns the nodes with these names, each once, by provider.

    Raises ``NoNodesError``, ``UnknownNodeError`` or ``BusyNodeError``; none of the nodes is changed then.
    """
    served = [ServedNodes(service, _nodes(query, service)) for service in _services(query, verb)]
    known = {name: node for each in served for node in each.nodes for name in (node.id, *node.other_names)}
    if unknown := [name for name in dict.fromkeys(names) if name not in known]:
        raise _unknown(query, unknown, known)
    ids = {known[name].id for name in names}
    chosen = []
    for each in served:
        action, nodes = each.service.action(verb), tuple(node for node in each.nodes if node.id in ids)
        if action is not None and nodes:
            _require_free(query, action, nodes)
            chosen.append(ChosenNodes(action, nodes, each))
    return tuple(chosen)


def _services(query: NodeQuery, verb: str) -> list[NodeService]:
    """The services of the environment that list nodes or have the action. Raises ``NoNodesError`` without one."""
    offered = [found for each in registered_operations() if (found := each.node_service) is not None]
    able = [each for each in offered if verb == "list" or each.action(verb) is not None]
    sections = {str(part.path[0]) for part in query.plan.providers}
    if found := [each for each in able if each.section_key in sections]:
        return found
    has = f"it has {listed(sorted(sections))}" if sections else "it has no cluster"
    message = f"`node {verb}` has no nodes in {query.plan.name}: it needs {_keys(able)}, and {has}"
    hint = (
        f"`neuron-cluster explain {able[0].section_key}` describes the section; "
        f"`{query.toolkit_command('status')}` shows the nodes of every other one"
    )
    raise NoNodesError(message, hint=hint)


def _keys(services: Sequence[NodeService]) -> str:
    return listed((f"the section {each.section_key}" for each in services), "or")


def _nodes(query: NodeQuery, service: NodeService) -> tuple[Node, ...]:
    nodes = service.nodes(query)
    if nodes is None:
        message = (
            f"{query.plan.name} has no cluster of the section {service.section_key} in {query.access.target.region}"
        )
        raise ToolkitError(message, hint=f"`{query.toolkit_command('deploy')}` creates it")
    return nodes


def _unknown(query: NodeQuery, names: Sequence[str], known: dict[str, Node]) -> UnknownNodeError:
    groups: dict[str, list[str]] = {}
    for node in dict.fromkeys(known.values()):
        groups.setdefault(node.group, []).append(node.id)
    is_one = len(names) == 1
    message = (
        f"{listed(names)} {'is not a node' if is_one else 'are not nodes'} of {query.plan.name}; nothing was changed"
    )
    if own := groups.get(names[0]):
        more = f" and {len(own) - MOST_LISTED} more" if len(own) > MOST_LISTED else ""
        return UnknownNodeError(
            message, hint=f"{names[0]} is a group: name its nodes: {', '.join(own[:MOST_LISTED])}{more}"
        )
    near = did_you_mean_one_of(names[0], known)
    counts = listed(f"{counted(len(ids), 'node')} of {group}" for group, ids in groups.items())
    return UnknownNodeError(message, hint=f"{near}`{query.toolkit_command('node list')}` lists {counts}")


def _require_free(query: NodeQuery, action: NodeAction, nodes: Sequence[Node]) -> None:
    if not (obstacles := {node.id: reason for node in nodes if (reason := action.obstacle(node))}):
        return
    reasons = "; ".join(f"{node_id}: {reason}" for node_id, reason in obstacles.items())
    others = [node.id for node in nodes if node.id not in obstacles]
    rest = f", or name the others only: {' '.join(others)}" if others else ""
    message = f"{counted(len(obstacles), 'node')} cannot be {action.done} now ({reasons}); nothing was changed"
    hint = f"wait until `{query.toolkit_command('node list')}` shows another status{rest}"
    raise BusyNodeError(message, hint=hint)
