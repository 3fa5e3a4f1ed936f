"""The state of Slurm on AWS PCS for `status`: controller, compute node groups and queues."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from neuron_cluster.aws import pcs
from neuron_cluster.aws.instance_states import InstanceState, states_by_name
from neuron_cluster.aws.reading import NotRead, reading
from neuron_cluster.aws.run_command import SHELL_DOCUMENT
from neuron_cluster.findings.text import counted, listed
from neuron_cluster.protocol.instance_lines import instance_lines
from neuron_cluster.protocol.status import (
    StatusLine,
    StatusQuery,
    StatusSection,
    Verdict,
    error,
    healthy,
    warning,
)
from neuron_cluster.providers.pcs.groups import LOGIN
from neuron_cluster.providers.pcs.login_status import login_lines
from neuron_cluster.providers.pcs.plan.slurm_plan import SlurmGroupPlan, SlurmPlan

ACTIVE = "ACTIVE"
IN_PROGRESS = ("CREATING", "UPDATING", "DELETING", "RESUMING")
ALIVE = ("pending", "running")
CONTROLLER, GROUPS, QUEUES = "Slurm controller", "Compute groups", "Queues"
JOBS_NOT_LOOKED_AT = "jobs in Slurm (`squeue` on a login node)"
FAILED_BY_AWS = "Server."
"""How EC2 begins the reason of an end that no user has requested: ``Server.SpotInstanceTermination``."""
Part = pcs.PcsCluster | pcs.PcsGroup | pcs.PcsQueue


def slurm_status(query: StatusQuery) -> Sequence[StatusSection]:
    """Without the cluster there is one line, as nothing of it is there either."""
    slurm = query.plan.provider(SlurmPlan)
    if slurm is None:
        return ()
    cluster = reading("pcs", lambda: pcs.cluster(query.access.target, slurm.name))
    if cluster is None:
        cause = "the cluster does not exist, nor do its compute node groups and queues"
        return (StatusSection(CONTROLLER, (error(slurm.name, cause, query.toolkit_command("deploy")),)),)
    if isinstance(cluster, NotRead):
        titles = (CONTROLLER, GROUPS, QUEUES)
        return tuple(StatusSection(title, (query.not_read(slurm.name, cluster),)) for title in titles)
    controller = _judged(query, cluster, cluster, f"Slurm {cluster.version}")
    groups = reading("pcs", lambda: pcs.groups(query.access.target, cluster.id))
    return (
        StatusSection(CONTROLLER, (controller,)),
        StatusSection(GROUPS, tuple(_groups(query, slurm, cluster, groups)), _not_looked_at(query)),
        StatusSection(QUEUES, tuple(_queues(query, slurm, cluster, groups))),
    )


def _not_looked_at(query: StatusQuery) -> str:
    if query.may_run_commands:
        return JOBS_NOT_LOOKED_AT
    command = query.toolkit_command("status --run-command")
    sinfo = f"`{command}`, which sends sinfo to a login node with the document {SHELL_DOCUMENT}"
    return f"states of nodes in Slurm ({sinfo}), {JOBS_NOT_LOOKED_AT}"


def _judged(query: StatusQuery, cluster: pcs.PcsCluster, part: Part, cause: str) -> StatusLine:
    kind = {pcs.PcsCluster: "get-cluster", pcs.PcsGroup: "list-compute-node-groups"}.get(type(part), "list-queues")
    command = query.access.aws_command(f"pcs {kind}", cluster_identifier=cluster.id)
    if part.errors or part.status not in (ACTIVE, *IN_PROGRESS):
        return error(
            part.name, f"{part.status}: {listed(part.errors) if part.errors else 'PCS reports no error'}", command
        )
    if part.status != ACTIVE:
        return warning(part.name, f"{part.name} is {part.status}", command)
    return healthy(part.name, f"{part.status}, {cause}")


def _groups(
    query: StatusQuery, slurm: SlurmPlan, cluster: pcs.PcsCluster, groups: dict[str, pcs.PcsGroup] | NotRead
) -> Iterator[StatusLine]:
    if isinstance(groups, NotRead):
        yield query.not_read("compute node groups", groups)
        return
    found = {group.name: group for group in groups.values()}
    names = {f"{query.plan.name}/{group.name}": group.name for group in slurm.compute_groups}
    instances = reading("ec2", lambda: states_by_name(query.access.target, list(names)))
    for planned in slurm.compute_groups:
        group = found.get(planned.physical_name)
        if group is None:
            yield error(planned.name, "the compute node group does not exist", query.toolkit_command("deploy"))
        else:
            yield from _group(query, cluster, planned, group, instances)
    if isinstance(instances, NotRead):
        yield query.not_read("instances", instances)
        return
    yield from login_lines(query, slurm, [each for each in instances if each.name == slurm.login_tag])
    running = {each.id: names[each.name] for each in instances if each.state == "running"}
    yield from instance_lines(query, running)


def _group(
    query: StatusQuery,
    cluster: pcs.PcsCluster,
    planned: SlurmGroupPlan,
    group: pcs.PcsGroup,
    instances: list[InstanceState] | NotRead,
) -> Iterator[StatusLine]:
    """Yields the line of the group with its instances by state, and one for those that AWS ended."""
    sizes = f"{group.min} to {group.max} instances"
    known = [] if isinstance(instances, NotRead) else instances
    own = [each for each in known if each.name == f"{query.plan.name}/{planned.name}"]
    states = Counter(each.state for each in own if each.state in ALIVE)
    runs = states.total()
    line = _judged(query, cluster, group, ", ".join((sizes, *(f"{states[each]} {each}" for each in sorted(states)))))
    judged_elsewhere = planned.path[-1] == LOGIN or query.access.is_local or isinstance(instances, NotRead)
    line = replace(line, subject=planned.name)
    if line.verdict is Verdict.HEALTHY and not judged_elsewhere and runs < group.min:
        command = query.access.aws_command("pcs list-compute-node-groups", cluster_identifier=cluster.id)
        line = warning(planned.name, f"{runs} of at least {counted(group.min, 'instance')} run", command)
    elif line.verdict is Verdict.HEALTHY and planned.image.pinned not in (None, group.ami_id):
        cause = f"nodes start from {group.ami_id}, the file or its lock has {planned.image.pinned}"
        line = warning(planned.name, cause, query.toolkit_command("deploy"))
    yield line
    for each in own:
        if each.state not in ALIVE and each.reason.startswith(FAILED_BY_AWS):
            command = query.access.aws_command("ec2 describe-instances", instance_ids=each.id)
            yield warning(f"{planned.name} {each.id}", f"it is {each.state}: {each.reason}", command)


def _queues(
    query: StatusQuery, slurm: SlurmPlan, cluster: pcs.PcsCluster, groups: dict[str, pcs.PcsGroup] | NotRead
) -> Iterator[StatusLine]:
    known = {} if isinstance(groups, NotRead) else groups
    queues = reading("pcs", lambda: pcs.queues(query.access.target, cluster.id, known))
    if isinstance(queues, NotRead):
        yield query.not_read("queues", queues)
        return
    found = {queue.name: queue for queue in queues}
    for planned in slurm.queues:
        queue = found.get(planned.name)
        if queue is None:
            yield error(planned.name, "the queue does not exist", query.toolkit_command("deploy"))
        else:
            yield _judged(query, cluster, queue, counted(len(planned.groups), "compute node group"))
