"""A scheduler whose workloads are executions of a state machine: what another package would register."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.option import GROUP, NODES, Option
from neuron_cluster.protocol.scheduler import Environment, Scheduler
from neuron_cluster.protocol.submission import ApiCall, ApiJob, Call
from neuron_cluster.protocol.workload import ListedWorkload, MatchingGroup, Placement, Rendered, Workload
from tests.orchestrators.auto_scaling.provider import AutoScalingProvider

MEASURE = Workload(name="measure-fabric", needed_options="--step NAME")
STEP = Option("--step", "the step that begins", "NAME", verbs=("render", "submit"), required_by=("submit",))


class ExecutionPlacement(Placement, frozen=True, kw_only=True):
    plan: ClusterPlan
    nodes: int
    step: str | None


class StepFunctionsScheduler(Scheduler):
    """State machine ``ENVIRONMENT-jobs``; each execution has a stream of its name in a log group of that name."""

    name = "step-functions"
    kind = "run"
    options = (GROUP, NODES, STEP)
    options_hint = "options of runs: --group, --nodes, --step"
    verbs = frozenset({"render", "submit", "status", "logs", "stop"})

    def workloads(self) -> tuple[Workload, ...]:
        return (MEASURE,)

    def listed(self, plan: ClusterPlan, catalog: Catalog) -> Sequence[ListedWorkload]:
        del catalog
        places = tuple(
            MatchingGroup(group.name, group.machine.instance_type, group.max, ()) for group in plan.cluster_groups
        )
        return (ListedWorkload(MEASURE.name, "run: measures the fabric", (), places, ()),)

    def place(
        self, workload: Workload, environment: Environment, values: Mapping[str, Any]
    ) -> Placement | tuple[Finding, ...]:
        plan = environment.plan
        group = next(each for each in plan.cluster_groups if values["group"] in (None, each.name))
        nodes = values["nodes"] or 1
        if group.max is not None and nodes > group.max:
            message = f"{nodes} nodes, and {group.name} has at most {group.max}"
            return (Finding("E3991", Location(workload.name, path="--nodes"), message, "request fewer"),)
        return ExecutionPlacement(workload=workload, group=group.name, plan=plan, nodes=nodes, step=values["step"])

    def render(self, placement: Placement) -> Rendered:
        assert isinstance(placement, ExecutionPlacement)
        plan = placement.plan
        given = {"group": placement.group, "nodes": placement.nodes, "step": placement.step}
        text = json.dumps(given, indent=2) + "\n"
        machine = f"arn:{plan.partition}:states:{plan.region}:{plan.account}:stateMachine:{plan.name}-jobs"
        call = Call(
            service="stepfunctions",
            operation="start_execution",
            parameters={"stateMachineArn": machine, "input": json.dumps(given)},
        )
        return Rendered(
            text=text,
            files={"input.json": text},
            document={"environment": plan.name, "run": placement.workload.name, **given},
            submission=ApiCall(call=call, id="executionArn", job=self.api_job(plan)),
            commands=(call.command(plan.region),),
        )

    def no_rehearsal(self, workload: Workload) -> ToolkitError:
        return ToolkitError(f"{workload.name} is a run, and a rehearsal has no state machine")

    def api_job(self, plan: ClusterPlan) -> ApiJob:
        return ApiJob(
            describe=Call(service="stepfunctions", operation="describe_execution", taken={"executionArn": "id"}),
            state="status",
            active_states=("RUNNING",),
            stop=Call(service="stepfunctions", operation="stop_execution", taken={"executionArn": "id"}),
            logs=Call(
                service="logs",
                operation="get_log_events",
                parameters={"logGroupName": f"{plan.name}-jobs", "startFromHead": True},
                taken={"logStreamName": "job.name"},
            ),
            lines="events[].message",
        )


class ScheduledGroupsProvider(AutoScalingProvider):
    """Auto Scaling groups with this scheduler."""

    schedulers = (StepFunctionsScheduler(),)


SCHEDULED_GROUPS = ScheduledGroupsProvider()
