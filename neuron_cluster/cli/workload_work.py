"""The steps of ``workload render`` and ``workload submit``."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from pathlib import Path
from typing import Any

import yaml
from msgspec import Struct

from neuron_cluster.atomic_write import write_whole
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.cli.environment import open_environment
from neuron_cluster.cli.terminal import (
    print_findings,
    print_findings_json,
    print_findings_sarif,
    print_json,
    talk_stream,
)
from neuron_cluster.findings.finding import has_error
from neuron_cluster.findings.text import printable
from neuron_cluster.kube.helm import Helm, Target
from neuron_cluster.kube.kubeconfig import context_cluster
from neuron_cluster.opened_environment import OpenedEnvironment
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.report.plain_data import plain
from neuron_cluster.workloads.bundled_chart import bundled_chart
from neuron_cluster.workloads.kubeconfig_check import require_cluster_context
from neuron_cluster.workloads.options import WorkloadOptions, user_values
from neuron_cluster.workloads.queue_selection import default_namespace
from neuron_cluster.workloads.rendering import RenderedWorkload, render_workload
from neuron_cluster.workloads.scheduling.software_pods import helm_of, software_pods
from neuron_cluster.workloads.values import WorkloadValues, workload_values

VALUES_FILE, OBJECTS_FILE = "values.yaml", "objects.yaml"


class Rendered(Struct, frozen=True):
    """A rendered workload, and what it was rendered for."""

    opened: OpenedEnvironment
    eks: KubernetesPlan
    workload: RenderedWorkload
    release: str
    namespace: str
    helm: Helm

    @property
    def values_text(self) -> str:
        """The values as a file."""
        chosen = self.workload.chosen
        head = f"# {chosen.chart.name} on node group {chosen.group.name} of {self.opened.plan.name}.\n"
        return head + yaml.safe_dump(plain(chosen.values), sort_keys=False, width=120)


def render(options: argparse.Namespace) -> Rendered:
    """Chooses, renders and judges. Raises ``InvalidEnvironment`` where there is nothing to render."""
    opened, catalog = open_environment(options), load_catalog()
    chart = bundled_chart(opened.project.root / "charts", options.chart)
    wanted = WorkloadOptions(
        group=options.group,
        nodes=options.nodes,
        queue=options.queue,
        front_end=options.front_end,
        bucket=options.bucket,
        claim=options.claim,
        namespace=options.namespace,
        given=user_values(options.values, options.settings),
    )
    digests = opened.lock.images if opened.lock is not None else {}
    software = [pod for _, pod in software_pods(opened.plan, catalog, options.project)]
    chosen = workload_values(chart, opened.plan, catalog, wanted, digests, software=software)
    eks = _cluster_of(chosen, opened)
    helm = helm_of(eks, catalog, opened.project.root)
    release, namespace = options.release or chart.name, options.namespace or default_namespace(eks)
    workload = render_workload(chosen, eks, helm, catalog, release=release, namespace=namespace)
    return Rendered(opened, eks, workload, release, namespace, helm)


def show(rendered: Rendered, options: argparse.Namespace) -> int:
    """Prints or writes values or objects; with an error among the findings only those."""
    workload = rendered.workload
    if has_error(workload.findings):
        return _report_errors(rendered, options)
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
    print_findings(workload.findings)
    return 0


def submit(rendered: Rendered, options: argparse.Namespace) -> int:
    """Installs the chart, or prints the command that would. Raises ``ToolkitError`` when helm fails."""
    workload = rendered.workload
    if has_error(workload.findings):
        return _report_errors(rendered, options)
    chart = workload.chosen.chart
    target = Target(chart.folder, rendered.release, rendered.namespace, options.context, options.kubeconfig)
    files = [options.kubeconfig] if options.kubeconfig is not None else _usual_kubeconfigs()
    require_cluster_context(rendered.opened.plan, rendered.eks, context_cluster(files, options.context), chart.name)
    helm = rendered.helm if options.helm is None else Helm(options.helm)
    command = shlex.join([str(helm.binary), *target.arguments(), "--values", VALUES_FILE])
    output = "" if options.dry_run else helm.install(target, workload.chosen.values)
    if options.format == "json":
        print_json({**_as_data(rendered), "command": command, "helm": output})
        return 0
    print_findings(workload.findings)
    if options.dry_run:
        print(command)
        print(f"{VALUES_FILE} is the output of `workload render --values-only`", file=sys.stderr)
    else:
        print(printable(output.expandtabs()), end="")
    return 0


def _report_errors(rendered: Rendered, options: argparse.Namespace) -> int:
    if options.format == "json":
        print_findings_json(rendered.workload.findings)
    elif options.format == "sarif":
        print_findings_sarif(rendered.workload.findings)
    else:
        print_findings(rendered.workload.findings, talk_stream("json"))
    return 1


def _write(rendered: Rendered, place: Path, text: str, *, is_folder: bool) -> None:
    if is_folder or place.is_dir():
        write_whole(place / VALUES_FILE, rendered.values_text.encode(), with_folders=is_folder)
        write_whole(place / OBJECTS_FILE, rendered.workload.text.encode())
    else:
        write_whole(place, text.encode())


def _as_data(rendered: Rendered) -> dict[str, Any]:
    workload = rendered.workload
    return {
        "environment": rendered.opened.plan.name,
        "chart": workload.chosen.chart.name,
        "release": rendered.release,
        "namespace": rendered.namespace,
        "node_group": workload.chosen.group.name,
        "values": plain(workload.chosen.values),
        "objects": [plain(body) for body in workload.objects],
        "findings": [found.as_dict() for found in workload.findings],
    }


def _cluster_of(chosen: WorkloadValues, opened: OpenedEnvironment) -> KubernetesPlan:
    if opened.plan.kubernetes is None:
        raise LookupError(f"{chosen.group.name} was chosen in an environment without a cluster")
    return opened.plan.kubernetes


def _usual_kubeconfigs() -> list[Path]:
    """As kubectl looks for them."""
    named = [Path(each) for each in os.environ.get("KUBECONFIG", "").split(os.pathsep) if each]
    return named or [Path.home() / ".kube" / "config"]
