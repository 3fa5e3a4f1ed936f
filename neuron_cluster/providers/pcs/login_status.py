"""The login nodes of Slurm for `status`: whether users reach one through Systems Manager."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from neuron_cluster.aws.instance_states import InstanceState
from neuron_cluster.aws.reading import NotRead, reading
from neuron_cluster.aws.ssm import AgentState, agent_states
from neuron_cluster.findings.finding import Severity
from neuron_cluster.protocol.status import StatusLine, StatusQuery, error, healthy, warning
from neuron_cluster.providers.pcs.login_starts import LoginNode, start_findings
from neuron_cluster.providers.pcs.plan.slurm_plan import SlurmPlan
from neuron_cluster.providers.pcs.slurm_nodes import node_lines

SUBJECT = "login nodes"


def login_lines(query: StatusQuery, slurm: SlurmPlan, instances: Sequence[InstanceState]) -> Iterator[StatusLine]:
    """Yields a line about login nodes that are reached or start, and one for each that was reached and is not now.

    Where the user lets it, the nodes of Slurm follow, which one of them knows.
    """
    running = [each.id for each in instances if each.state == "running"]
    if query.access.is_local:  # it runs no agents
        agents: Mapping[str, AgentState] | NotRead = {
            each: AgentState(is_online=True, last_ping=None) for each in running
        }
    else:
        agents = reading("ssm", lambda: agent_states(query.access.target, running))
    online = [] if isinstance(agents, NotRead) else sorted(each for each in agents if agents[each].is_online)
    if query.may_run_commands:
        yield from node_lines(query, slurm, online)
    if isinstance(agents, NotRead):
        yield query.not_read(SUBJECT, agents)
        return
    lost = [each for each in running if each in agents and not agents[each].is_online]
    yield from (_lost(query, each, agents[each]) for each in lost)
    others = [each for each in instances if each.id not in lost]
    findings = [] if lost and not others else list(_start_findings(query, slurm, others, online))
    yield from findings
    if not findings and not lost:
        none = "none, as the local AWS starts no nodes of PCS"
        yield healthy(SUBJECT, f"{len(online)} of {len(running)} online" if instances else none)


def _lost(query: StatusQuery, instance_id: str, agent: AgentState) -> StatusLine:
    cause = "its agent was connected to Systems Manager and is not any more: users cannot log in through it"
    command = query.access.aws_command("ec2 reboot-instances", instance_ids=instance_id)
    return error(f"login node {instance_id}", cause, command, since=agent.last_ping)


def _start_findings(
    query: StatusQuery, slurm: SlurmPlan, instances: Sequence[InstanceState], online: Sequence[str]
) -> Iterator[StatusLine]:
    minutes = {each.id: int((query.at - each.launched).total_seconds() // 60) for each in instances}
    ordered = sorted(instances, key=lambda each: each.launched)
    nodes = [LoginNode(each.id, each.state, minutes[each.id], each.id in online) for each in ordered]
    for finding in start_findings(slurm.login_tag, nodes, query.access):
        judge = error if finding.severity is Severity.ERROR else warning
        yield judge(SUBJECT, finding.message, finding.hint.split("`")[1])
