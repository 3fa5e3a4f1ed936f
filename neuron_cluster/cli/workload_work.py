"""What ``workload render`` and ``workload submit`` print and write."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from neuron_cluster.atomic_write import write_atomically
from neuron_cluster.cli.open_environment import open_environment
from neuron_cluster.cli.terminal import (
    print_findings,
    print_findings_json,
    print_findings_sarif,
    print_json,
    talk_stream,
)
from neuron_cluster.findings.finding import has_error
from neuron_cluster.findings.text import printable
from neuron_cluster.kube.helm import Helm
from neuron_cluster.kubernetes.chart_values import merged
from neuron_cluster.report.plain_data import plain
from neuron_cluster.workloads.model_shape import shape_of_file
from neuron_cluster.workloads.options import WorkloadOptions, user_values
from neuron_cluster.workloads.prepared import PreparedWorkload, install_target, prepare_workload, require_permissions
from neuron_cluster.workloads.startup.text import budget_text

VALUES_FILE, OBJECTS_FILE = "values.yaml", "objects.yaml"


def render(options: argparse.Namespace, *, defaults: Mapping[str, Any] | None = None) -> PreparedWorkload:
    """``defaults`` are values that the user's own override. Raises ``InvalidEnvironment`` where there is nothing to
    render."""
    requested = WorkloadOptions(
        group=options.group,
        nodes=options.nodes,
        queue=options.queue,
        front_end=options.front_end,
        bucket=options.bucket,
        claim=options.claim,
        namespace=options.namespace,
        model=shape_of_file(options.model_config) if options.model_config is not None else None,
        given=merged(defaults or {}, user_values(options.values, options.settings)),
    )
    opened = open_environment(options)
    return prepare_workload(opened, options.chart, requested, release=options.release, project=options.project)


def show(rendered: PreparedWorkload, options: argparse.Namespace) -> int:
    """Prints or writes values or objects; with an error among the findings only those."""
    workload = rendered.workload
    if has_error(workload.findings):
        return report_errors(rendered, options)
    text = rendered.values_text if options.values_only else workload.text
    if options.output is not None:
        _write(rendered, Path(options.output), text, is_folder=options.output.endswith(os.sep))
    if options.format == "json":
        print_json(_as_data(rendered))
        return 0
    if options.format == "sarif":
        print_findings_sarif(workload.findings)
        return 0
    if options.output is None:
        print(text, end="")
    print(budget_text(workload.startup), end="", file=sys.stderr)
    print_findings(workload.findings)
    return 0


def submit(rendered: PreparedWorkload, options: argparse.Namespace) -> int:
    """Installs the chart, or prints the command that would. Raises ``ToolkitError`` when helm fails."""
    workload = rendered.workload
    if has_error(workload.findings):
        return report_errors(rendered, options)
    target = install_target(rendered, options.context, options.kubeconfig)
    helm = rendered.helm if options.helm is None else Helm(options.helm)
    command = shlex.join([str(helm.binary), *target.arguments(), "--values", VALUES_FILE])
    if not options.dry_run:
        require_permissions(rendered, target)
    output = "" if options.dry_run else helm.install(target, workload.chosen.values)
    if options.format == "json":
        print_json({**_as_data(rendered), "command": command, "helm": output})
        return 0
    print(budget_text(workload.startup), end="", file=sys.stderr)
    print_findings(workload.findings)
    if options.dry_run:
        print(command)
        print(f"{VALUES_FILE} is the output of `workload render --values-only`", file=sys.stderr)
    else:
        print(printable(output.expandtabs()), end="")
    return 0


def report_errors(rendered: PreparedWorkload, options: argparse.Namespace) -> int:
    """Prints the findings; the exit status of a workload that is not installed."""
    if options.format == "json":
        print_findings_json(rendered.workload.findings)
    elif options.format == "sarif":
        print_findings_sarif(rendered.workload.findings)
    else:
        print_findings(rendered.workload.findings, talk_stream("json"))
    return 1


def _write(rendered: PreparedWorkload, place: Path, text: str, *, is_folder: bool) -> None:
    if is_folder or place.is_dir():
        write_atomically(place / VALUES_FILE, rendered.values_text.encode(), with_folders=is_folder)
        write_atomically(place / OBJECTS_FILE, rendered.workload.text.encode())
    else:
        write_atomically(place, text.encode())


def _as_data(rendered: PreparedWorkload) -> dict[str, Any]:
    workload = rendered.workload
    return {
        "environment": rendered.plan.name,
        "chart": workload.chosen.chart.name,
        "release": rendered.release,
        "namespace": rendered.namespace,
        "node_group": workload.chosen.group.name,
        "values": plain(workload.chosen.values),
        "objects": [plain(body) for body in workload.objects],
        "startup": workload.startup.as_data(),
        "findings": [found.as_dict() for found in workload.findings],
    }
