"""Nodes of a deployed environment: how a provider lists them, and what its service does to them on request."""

# ruff: noqa: ARG002 - the defaults use no argument

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.aws_access import AwsAccess


class Node(Struct, frozen=True, kw_only=True):
    """One node, as its service lists it."""

    id: str
    """Its EC2 instance id; of a node that has no instance yet, the id by which the service tracks it."""
    group: str
    """Compute group by its name in the file; of a group that the file does not have, the name in the service."""
    instance_type: str
    """In the service's words; empty where it does not say."""
    status: str
    """In the service's words."""
    message: str = ""
    """Reason of the status; empty where the service gives none."""
    launched: datetime | None = None
    """When its instance was launched; None without an instance."""
    zone_id: str = ""
    """Id of its Availability Zone; empty where neither the service nor the file has it."""
    has_instance: bool = True
    other_names: tuple[str, ...] = ()
    """Names of the same node in the scheduler of the cluster."""


class NodeQuery(Struct, frozen=True):
    """The environment whose nodes a command asks about."""

    plan: ClusterPlan
    access: AwsAccess
    catalog: Catalog
    argument: str
    """The environment as commands of the toolkit name it: a name, or the path of a file."""

    def toolkit_command(self, verb: str) -> str:
        """A command of the toolkit for the environment: ``neuron-cluster node list --local NAME``."""
        local = " --local" if self.access.is_local else ""
        return f"neuron-cluster {verb}{local} {self.argument}"


class NodeRejection(Struct, frozen=True):
    """The answer of a service that does not act on one node."""

    code: str
    """Error code of the service."""
    message: str
    hint: str = ""


class GroupProgress(Struct, frozen=True):
    """Nodes of one compute group after a request, at one moment."""

    group: str
    expected: int
    """How many of its nodes the request was about."""
    back: tuple[str, ...] = ()
    """Ids of nodes that run again, or in the place of others."""
    failed: tuple[Node, ...] = ()
    """Nodes that ended otherwise."""
    statuses: Mapping[str, int] = {}
    """Nodes of the whole group by status."""
    note: str = ""
    """Another fact that a person should know, as a sentence without a full stop; empty without one."""

    @property
    def is_over(self) -> bool:
        return len(self.back) + len(self.failed) >= self.expected


class NodeAnswer(Struct, frozen=True):
    """One node of a command."""

    node: Node
    """The node before the request."""
    rejection: NodeRejection | None = None
    """None where the service accepted the request."""

    @property
    def is_accepted(self) -> bool:
        return self.rejection is None


class Waited(Struct, frozen=True):
    """Nodes at the end of the wait."""

    groups: tuple[GroupProgress, ...]
    seconds: float

    @property
    def is_over(self) -> bool:
        return all(group.is_over for group in self.groups)

    @property
    def has_succeeded(self) -> bool:
        return self.is_over and not any(group.failed for group in self.groups)


class NodeWatch:
    """Follows the nodes of a request until they are back."""

    def look(self, nodes: Sequence[Node], seconds: float) -> tuple[GroupProgress, ...]:
        """Returns the progress of each group, from all nodes of the service so many seconds after the request."""
        raise NotImplementedError


class NodeAction:
    """An action of a service on nodes that a request names."""

    verb: str
    """The action of `neuron-cluster node`: ``replace``."""
    done: str
    """Its participle: ``replaced``."""
    permissions: tuple[str, ...] = ()
    """IAM actions of ``request``."""

    def most(self, catalog: Catalog) -> int:
        """Nodes of one request."""
        raise NotImplementedError

    def obstacle(self, node: Node) -> str:
        """Returns why the service does not act on the node in its present state; empty where it does."""
        return ""

    def effects(self, query: NodeQuery, nodes: Sequence[Node]) -> Iterator[str]:
        """Sentences about what ends, what is lost and what the user does before."""
        yield from ()

    def request(self, query: NodeQuery, ids: Sequence[str]) -> Mapping[str, NodeRejection]:
        """Makes one request, and returns the nodes on which the service does not act.

        Raises ``ToolkitError`` where the service did not accept the request.
        """
        raise NotImplementedError

    def watch(self, query: NodeQuery, asked: Sequence[Node], before: Sequence[Node]) -> NodeWatch:
        """Returns what follows the nodes on which the service acts. ``before`` has all nodes before the request."""
        raise NotImplementedError

    def look_closer(self, query: NodeQuery) -> str:
        """A command of the AWS CLI that shows why nodes are not back; empty without one."""
        return ""


class NodeService:
    """The nodes of a provider, and the actions that its service offers."""

    section_key: str
    """Key of the provider's section of the file."""
    permissions: tuple[str, ...] = ()
    """IAM actions of ``nodes``."""
    actions: Collection[NodeAction] = ()

    def nodes(self, query: NodeQuery) -> tuple[Node, ...] | None:
        """Returns all nodes in the order of the groups of the file; None where their cluster does not exist.

        Raises ``ToolkitError`` when the service does not answer.
        """
        raise NotImplementedError

    def action(self, verb: str) -> NodeAction | None:
        """Returns the action with this verb; None where the service does not offer it."""
        return next((action for action in self.actions if action.verb == verb), None)
