"""The rehearsal of a chart by its name, as a workload or as a component of the cluster."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.finding import has_error
from neuron_cluster.protocol.running_work import Shown
from neuron_cluster.protocol.scheduler import Environment
from neuron_cluster.rehearsal.rehearsal_plan import PlannedRehearsal, Request
from neuron_cluster.report.text_page import text_of
from neuron_cluster.schedulers.kubernetes.options import OPTIONS
from neuron_cluster.schedulers.kubernetes.rehearsal.component_plan import COMPONENTS, component_plan
from neuron_cluster.schedulers.kubernetes.rehearsal.diagnosis import diagnose_rehearsal, read_rehearsal
from neuron_cluster.schedulers.kubernetes.rehearsal.workload_plan import workload_plan
from neuron_cluster.schedulers.kubernetes.running.diagnosis_page import diagnosis_data, diagnosis_page
from neuron_cluster.schedulers.kubernetes.workloads.options import requested_options
from neuron_cluster.schedulers.kubernetes.workloads.prepared import prepare_workload

HOURS, LONGEST_HOURS = {"neuron-serving": 2, "neuron-explorer": 1, "neuron-monitor": 2}, 24
"""How long a server runs, which has no end, and how long a job at most."""
SECONDS_OF_HOUR = 3600
TRAINING = "neuron-training"
"""The chart whose program is replaced by the trainer of rehearsals, unless the user sets another one."""
NODES = "--nodes"
"""The only option of workloads that a component has too."""
SHOWN_BY_REHEARSAL = frozenset({"E9274"})
"""Errors that do not prevent a rehearsal: its queue gives the reason why a job beyond the quota waits."""


def planned_rehearsal(
    environment: Environment, name: str, values: Mapping[str, Any], request: Request
) -> PlannedRehearsal:
    """Returns the rehearsal of a workload or component. Raises ``ToolkitError`` for options that it does not have."""
    limit = (request.limit_hours or HOURS.get(name, LONGEST_HOURS)) * SECONDS_OF_HOUR
    if name in COMPONENTS:
        _require_no_options(name, values)
        plan = component_plan(environment, name, request, limit)
        return PlannedRehearsal(name=f"{name} of {environment.plan.name}", plan=plan)
    options = requested_options(values, environment.catalog, request.trainer_values if name == TRAINING else {})
    project = str(environment.project.root)
    prepared = prepare_workload(environment, name, options, release=values["release"], project=project)
    chosen, findings = prepared.workload.chosen, prepared.workload.findings
    prevents = has_error(finding for finding in findings if finding.id not in SHOWN_BY_REHEARSAL)
    return PlannedRehearsal(
        name=f"{chosen.chart.name} on {chosen.group.name} of {prepared.plan.name}",
        plan=None if prevents else workload_plan(prepared, request, limit),
        findings=findings,
    )


def _require_no_options(name: str, values: Mapping[str, Any]) -> None:
    """Raises ``ToolkitError`` for an option of workloads: the environment alone decides about its components."""
    given = [option.name for option in OPTIONS if option.name != NODES and values.get(option.destination)]
    if given:
        raise ToolkitError(
            f"{given[0]} is an option of workloads, and {name} is a component of the cluster",
            hint="its values are in the environment file: addons and chart_values of the cluster",
        )


def why_rehearsed(file: Path) -> Shown:
    """Returns the diagnosis of a rehearsal from its JSON; exit status 1 where there is a cause."""
    rehearsed = read_rehearsal(file)
    diagnosis = diagnose_rehearsal(rehearsed)
    return Shown(
        {"rehearsal": rehearsed.workload, **diagnosis_data(diagnosis)},
        lambda width: text_of(diagnosis_page(diagnosis, f"rehearsal of {rehearsed.workload}", None), width),
        int(bool(diagnosis.causes)),
    )
