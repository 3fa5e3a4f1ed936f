"""A bundled chart as a workload: values selected for an environment, rendered, and installed by helm."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from neuron_cluster.kube.helm import Helm
from neuron_cluster.protocol.scheduler import Environment
from neuron_cluster.protocol.submission import VALUES_FILE, HelmInstall
from neuron_cluster.protocol.workload import Placement, Rendered, Workload
from neuron_cluster.report.plain_data import plain
from neuron_cluster.schedulers.kubernetes.workloads.options import requested_options
from neuron_cluster.schedulers.kubernetes.workloads.prepared import (
    PreparedWorkload,
    SelectedWorkload,
    install_target,
    render_selected,
    require_permissions,
    select_workload,
)
from neuron_cluster.schedulers.kubernetes.workloads.startup.text import budget_text

OBJECTS_FILE = "objects.yaml"


class ChartPlacement(Placement, frozen=True, kw_only=True):
    """``values`` are those of the options, by destination."""

    selected: SelectedWorkload
    values: Mapping[str, Any]


def place_chart(workload: Workload, environment: Environment, values: Mapping[str, Any]) -> ChartPlacement:
    """Raises ``InvalidEnvironment`` where there is nothing to render."""
    options = requested_options(values, environment.catalog)
    project = str(environment.project.root)
    selected = select_workload(environment, workload.name, options, release=values["release"], project=project)
    return ChartPlacement(workload=workload, group=selected.chosen.group.name, selected=selected, values=values)


def render_chart(placement: ChartPlacement) -> Rendered:
    """Raises ``InvalidEnvironment`` when helm rejects the values."""
    prepared, values = render_selected(placement.selected), placement.values
    workload = prepared.workload
    return Rendered(
        text=prepared.values_text if values.get("values_only") else workload.text,
        files={VALUES_FILE: prepared.values_text, OBJECTS_FILE: workload.text},
        document={
            "environment": prepared.plan.name,
            "chart": workload.chosen.chart.name,
            "release": prepared.release,
            "namespace": prepared.namespace,
            "node_group": workload.chosen.group.name,
            "values": plain(workload.chosen.values),
            "objects": [plain(body) for body in workload.objects],
            "startup": workload.startup.as_data(),
        },
        submission=_install(prepared, values["context"], values) if values.get("context") else None,
        notes=budget_text(workload.startup),
        findings=workload.findings,
    )


def _install(prepared: PreparedWorkload, context: str, values: Mapping[str, Any]) -> HelmInstall:
    binary: Path | None = values["helm"]
    return HelmInstall(
        helm=prepared.helm if binary is None else Helm(binary),
        values=prepared.workload.chosen.values,
        target=functools.partial(install_target, prepared, context, values["kubeconfig"]),
        require_permissions=functools.partial(require_permissions, prepared),
    )
