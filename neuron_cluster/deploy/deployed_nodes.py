"""Nodes of a deployed environment, and those of them that a command names."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.suggestions import did_you_mean_one_of
from neuron_cluster.findings.text import counted, listed
from neuron_cluster.plan.cluster_plan import ClusterPlan
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
    nodes = [node for provided in served for node in provided.nodes]
    known = {name: node for node in nodes for name in (node.id, *node.other_names)}
    if unknown := [name for name in dict.fromkeys(names) if name not in known]:
        raise _unknown(query, unknown, known)
    ids = {known[name].id for name in names}
    chosen = []
    for provided in served:
        action, named = provided.service.action(verb), tuple(node for node in provided.nodes if node.id in ids)
        if action is not None and named:
            _require_free(query, action, named)
            chosen.append(ChosenNodes(action, named, provided))
    return tuple(chosen)


def node_services(plan: ClusterPlan, verb: str, status_command: str) -> list[NodeService]:
    """Returns the services of the environment that list nodes or have the action; it makes no call.

    Raises ``NoNodesError`` without one, with the command that shows other nodes.
    """
    offered = [found for operations in registered_operations() if (found := operations.node_service) is not None]
    able = [service for service in offered if verb == "list" or service.action(verb) is not None]
    sections = {str(part.path[0]) for part in plan.providers}
    if own := [service for service in able if service.section_key in sections]:
        return own
    has = f"{listed(sorted(sections))} only" if sections else "no cluster"
    message = f"`node {verb}` is for nodes of {_keys(able)}, and {plan.name} has {has}"
    hint = (
        f"`neuron-cluster explain {able[0].section_key}` describes the section; "
        f"`{status_command}` shows the nodes of every other one"
    )
    raise NoNodesError(message, hint=hint)


def _services(query: NodeQuery, verb: str) -> list[NodeService]:
    return node_services(query.plan, verb, query.toolkit_command("status"))


def _keys(services: Sequence[NodeService]) -> str:
    return listed((f"the section {service.section_key}" for service in services), "or")


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
