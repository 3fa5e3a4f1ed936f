"""The instances of workstations: one may be stopped, none may be gone."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.aws.instance_states import InstanceState, states_by_id
from neuron_cluster.aws.reading import NotRead, reading
from neuron_cluster.plan.core_stacks import WORKSTATIONS
from neuron_cluster.plan.workstation_plan import WorkstationPlan
from neuron_cluster.protocol.instance_lines import instance_lines
from neuron_cluster.protocol.status import StatusLine, StatusQuery, StatusSection, error, healthy, warning
from neuron_cluster.status.held_subjects import gone, ids_or_line

RUNNING, STOPPED = ("pending", "running"), ("stopping", "stopped")


def workstation_section(query: StatusQuery) -> StatusSection | None:
    """None where the file has no workstation."""
    return StatusSection("Workstations", tuple(_lines(query))) if query.plan.workstations else None


def _lines(query: StatusQuery) -> Iterator[StatusLine]:
    ids = ids_or_line(query, "workstations", WORKSTATIONS.stack_key, "AWS::EC2::Instance")
    if isinstance(ids, StatusLine):
        yield ids
        return
    found = reading("ec2", lambda: states_by_id(query.access.target, ids))
    if isinstance(found, NotRead):
        yield query.not_read("workstations", found)
        return
    by_name = {instance.name: instance for instance in found}
    for workstation in query.plan.workstations:
        instance = by_name.get(f"{query.plan.name}/{workstation.name}")
        if instance is None:
            yield gone(query, workstation.name, WORKSTATIONS.stack_key)
        else:
            yield _line(query, workstation, instance)
    names = {each.id: each.name.rpartition("/")[2] for each in found if each.state == "running"}
    yield from instance_lines(query, names)


def _line(query: StatusQuery, workstation: WorkstationPlan, instance: InstanceState) -> StatusLine:
    name, pinned = workstation.name, workstation.pinned_image
    if instance.state in (*RUNNING, *STOPPED) and pinned not in (None, instance.image):
        cause = (
            f"{instance.id} runs {instance.image}, the file or its lock has {pinned}: a deploy replaces the instance"
        )
        return warning(name, cause, query.toolkit_command("deploy"), since=instance.launched)
    if instance.state in (*RUNNING, *STOPPED):
        return healthy(name, f"{instance.id} is {instance.state}", since=instance.launched)
    reason = f" ({instance.reason})" if instance.reason else ""
    cause = f"{instance.id} is {instance.state}{reason}: a deploy makes another when its stack was deleted"
    stack = query.plan.stack_name(WORKSTATIONS.stack_key)
    return error(name, cause, query.access.aws_command("cloudformation delete-stack", stack_name=stack))
