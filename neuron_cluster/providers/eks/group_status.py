"""The managed node groups of an EKS cluster for `status`: how many instances run, and why the rest does not."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from datetime import datetime

from neuron_cluster.aws import eks_state
from neuron_cluster.aws.auto_scaling import FailedLaunch, ScalingGroup, failed_launch, scaling_groups
from neuron_cluster.aws.reading import NotRead, reading, readings
from neuron_cluster.findings.text import listed
from neuron_cluster.protocol.instance_lines import SUBJECT, instance_lines
from neuron_cluster.protocol.status import StatusLine, StatusQuery, error, healthy, warning
from neuron_cluster.providers.eks.health_words import NODE_GROUP, issue_command, issue_words
from neuron_cluster.providers.eks.plan.eks_plan import EksPlan
from neuron_cluster.providers.eks.plan.managed_node_group_plan import ManagedNodeGroupPlan

ACTIVE = "ACTIVE"
IN_PROGRESS = ("CREATING", "UPDATING", "DELETING")
State = eks_state.NodeGroupState
Scaling = Mapping[str, ScalingGroup] | NotRead


def group_lines(query: StatusQuery, section: EksPlan) -> Iterator[StatusLine]:
    target = query.access.target
    read = functools.partial(eks_state.node_group_state, target, section.name)
    states = readings(
        "eks", {each.name: functools.partial(read, each.physical_name) for each in section.managed_groups}
    )
    known = {name: state for name, state in states.items() if isinstance(state, State)}
    names = [name for state in known.values() for name in state.auto_scaling_groups]
    scaling = reading("autoscaling", lambda: scaling_groups(target, names))
    for group in section.managed_groups:
        state = states[group.name]
        if isinstance(state, NotRead):
            yield query.not_read(group.name, state)
        elif state is None:
            yield _missing(query, section, group)
        else:
            yield _Judged(query, section, group, state, scaling).line()
    yield from _instances(query, states, scaling)


def _instances(
    query: StatusQuery, states: Mapping[str, State | NotRead | None], scaling: Scaling
) -> Iterator[StatusLine]:
    """Yields lines about instances; where they cannot be listed, a line with the call that failed."""
    unknown = next((found for found in (*states.values(), scaling) if isinstance(found, NotRead)), None)
    if unknown is not None:
        yield query.not_read(f"{SUBJECT} of instances that are not listed", unknown)
    if isinstance(scaling, NotRead):
        return
    groups = {
        instance: name
        for name, state in states.items()
        if isinstance(state, State)
        for scaling_name in state.auto_scaling_groups
        if scaling_name in scaling
        for instance in scaling[scaling_name].instances
    }
    yield from instance_lines(query, groups)


def _missing(query: StatusQuery, section: EksPlan, group: ManagedNodeGroupPlan) -> StatusLine:
    stack_key = next(stack_key for stack_key, groups in section.group_stacks.items() if group in groups)
    held = query.held.ids(stack_key, "AWS::EKS::Nodegroup")
    if not isinstance(held, NotRead) and any(group.physical_name in each for each in held):
        cause = "the node group was deleted outside of its stack: with another name in the file, a deploy creates one"
        return error(group.name, cause, query.toolkit_command("diff"))
    return error(group.name, "the node group does not exist", query.toolkit_command("deploy"))


class _Judged:
    """One node group that exists, with the Auto Scaling groups that EKS runs for it."""

    def __init__(
        self, query: StatusQuery, section: EksPlan, group: ManagedNodeGroupPlan, state: State, scaling: Scaling
    ) -> None:
        self.query, self.group, self.state, self.scaling = query, group, state, scaling
        self.names = {"cluster_name": section.name, "nodegroup_name": group.physical_name}

    def line(self) -> StatusLine:
        state, name = self.state, self.group.name
        if state.status in IN_PROGRESS and not state.issues:
            command = self.query.access.aws_command("eks describe-nodegroup", **self.names)
            return warning(name, f"the node group is {state.status}: {self.running()}", command, since=state.modified)
        if state.issues or state.status != ACTIVE:
            issues = issue_words(self.query, NODE_GROUP, state.issues) if state.issues else "EKS reports no issue"
            return self.failed(f"{state.status}, {self.running()}: {issues}")
        if isinstance(self.scaling, NotRead):
            return self.query.not_read(name, self.scaling)
        if (lost := [each for each in state.auto_scaling_groups if each not in self.scaling]) or not self.found():
            gone = listed(lost) if lost else "of the node group"
            return self.failed(f"the Auto Scaling group {gone} does not exist, so that no instance starts")
        if self.healthy_count() < state.desired:
            return self.starting() or self.failed(self.running())
        return self.differing() or healthy(name, f"{self.running()}, {state.status}")

    def found(self) -> list[ScalingGroup]:
        if isinstance(self.scaling, NotRead):
            return []
        return [self.scaling[each] for each in self.state.auto_scaling_groups if each in self.scaling]

    def healthy_count(self) -> int:
        return sum(len(each.healthy) for each in self.found())

    def running(self) -> str:
        """``2 of 4 instances in service``."""
        if isinstance(self.scaling, NotRead):
            return f"how many of {self.state.desired} instances are in service was not read ({self.scaling.call})"
        return f"{self.healthy_count()} of {self.state.desired} instances in service"

    def starting(self) -> StatusLine | None:
        """A warning where every missing instance is on its way and no launch failed; else None."""
        on_the_way = sum(len(each.instances) - len(each.healthy) for each in self.found())
        if self.healthy_count() + on_the_way < self.state.desired or any(
            map(self.last_failure, self.state.auto_scaling_groups)
        ):
            return None
        command = self.query.access.aws_command("eks describe-nodegroup", **self.names)
        return warning(self.group.name, f"{self.running()}, {on_the_way} start", command, since=self.state.modified)

    def last_failure(self, name: str) -> FailedLaunch | NotRead | None:
        return reading("autoscaling", lambda: failed_launch(self.query.access.target, name))

    def failed(self, cause: str) -> StatusLine:
        """The cause with the last failed launch, and the command of a health code or the one that requests the size."""
        launches = [self.last_failure(name) for name in self.state.auto_scaling_groups]
        known = [launch for launch in launches if isinstance(launch, FailedLaunch)]
        suspended = sorted({process for each in self.found() for process in each.suspended})
        parts = [
            cause,
            *(f"the last launch failed: {launch.message}" for launch in known if launch.message not in cause),
            *(f"why was not read ({launch.call})" for launch in launches if isinstance(launch, NotRead)),
            *([f"suspended processes of Auto Scaling: {listed(suspended)}"] if suspended else []),
        ]
        since: datetime | None = min((launch.since for launch in known), default=self.state.modified)
        names = {"cluster": self.names["cluster_name"], "name": self.names["nodegroup_name"]}
        command = issue_command(self.query, NODE_GROUP, self.state.issues, **names, otherwise=self.request_size())
        return error(self.group.name, "; ".join(parts), command, since=since)

    def request_size(self) -> str:
        group = self.group
        size = f"minSize={group.min},maxSize={group.max},desiredSize={group.desired}"
        return self.query.access.aws_command("eks update-nodegroup-config", **self.names, scaling_config=size)

    def differing(self) -> StatusLine | None:
        """The size or the AMI release that is not that of the file."""
        group, state = self.group, self.state
        if state.desired != group.desired:
            because = ": EKS scales a group to 0 before its capacity block ends" if self.is_of_block() else ""
            cause = f"{self.running()}, the file has desired {group.desired}{because}"
            return warning(group.name, cause, self.request_size(), since=state.modified)
        pinned = group.image.release
        if pinned is not None and state.release_version and state.release_version != pinned:
            cause = f"nodes run AMI release {state.release_version}, the file or its lock has {pinned}"
            return warning(group.name, cause, self.query.toolkit_command("deploy"))
        return None

    def is_of_block(self) -> bool:
        return self.group.machine.purchase.is_block and not self.state.desired
