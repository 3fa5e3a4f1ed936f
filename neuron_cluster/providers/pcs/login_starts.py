"""Whether login nodes start. They run the start script of all nodes: where it fails, PCS replaces them without end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from msgspec import Struct

from neuron_cluster.aws.ec2 import named_instances
from neuron_cluster.aws.errors import AwsApiError
from neuron_cluster.aws.session import LocalTarget, Target
from neuron_cluster.aws.ssm import online_instances
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.protocol.aws_access import AwsAccess

NOT_READY, FAILS = "W9568", "E9569"
ALIVE = frozenset({"pending", "running"})
RECENT_MINUTES = 60
"""EC2 lists an instance for about an hour after its end. One that was launched before was replaced by another."""


class LoginNode(Struct, frozen=True):
    """An instance of the login group that EC2 lists, also one that has ended."""

    id: str
    state: str
    age_minutes: int
    """Since its launch."""
    is_online: bool
    """Whether its agent is connected to Systems Manager."""


def read_login_nodes(target: Target, name: str) -> tuple[LoginNode, ...] | None:
    """Returns the nodes with this Name tag, the oldest first; None where AWS rejects the calls.

    Raises ``ToolkitError`` when a service does not answer.
    """
    try:
        found = named_instances(target, name)
        running = [each.id for each in found if each.state == "running"]
        # The local AWS runs no agents.
        online = set(running) if isinstance(target, LocalTarget) else online_instances(target, running)
    except AwsApiError:
        return None
    now = datetime.now(UTC)
    return tuple(
        LoginNode(each.id, each.state, int((now - each.launched).total_seconds() // 60), each.id in online)
        for each in sorted(found, key=lambda instance: instance.launched)
    )


def start_findings(name: str, nodes: Sequence[LoginNode] | None, access: AwsAccess) -> Iterator[Finding]:
    """Yields a finding while no login node is ready; none where that is unknown, and on the local AWS."""
    if nodes is None or any(node.is_online for node in nodes) or (access.is_local and not nodes):
        return
    alive = [node for node in nodes if node.state in ALIVE]
    ended = [node for node in nodes if node.state not in ALIVE and node.age_minutes <= RECENT_MINUTES]
    most = access.catalog.limits["pcs_registration_minutes"].require_maximum()
    late = [node for node in alive if node.age_minutes > most]
    if len(ended) > 1 or late:
        yield _failure(name, ended, late, access)
    else:
        yield _waiting(name, alive, access)


def _failure(name: str, ended: Sequence[LoginNode], late: Sequence[LoginNode], access: AwsAccess) -> Finding:
    node = (late or ended)[-1]
    what = (
        f"{node.id} runs for {node.age_minutes} minutes and is not online in Systems Manager"
        if late
        else f"{len(ended)} instances ended after their start, {node.id} last"
    )
    hint = (
        f"`{_log(node, access)}` shows the start script until an hour after the end; each node that PCS starts is "
        "billed: keep jobs out of the queue until it is corrected and deployed"
    )
    return Finding(FAILS, Location(name), f"login nodes do not start: {what}", hint)


def _waiting(name: str, alive: Sequence[LoginNode], access: AwsAccess) -> Finding:
    if not alive:
        listed = access.aws_command("ec2 describe-instances", filters=f"Name=tag:Name,Values={name}")
        message = "PCS has not started a login node yet"
        return Finding(NOT_READY, Location(name), message, f"`neuron-cluster list` shows when it is ready; `{listed}`")
    node = alive[-1]
    message = f"the login node {node.id} has started {node.age_minutes} minutes ago and is not ready yet"
    hint = f"`neuron-cluster list` shows when it is ready; `{_log(node, access)}` shows the start script"
    return Finding(NOT_READY, Location(name), message, hint)


def _log(node: LoginNode, access: AwsAccess) -> str:
    return access.aws_command("ec2 get-console-output --latest", instance_id=node.id, query="Output", output="text")
