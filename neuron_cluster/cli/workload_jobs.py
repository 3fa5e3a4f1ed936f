"""Jobs of a provider in ``workload render`` and ``submit``: scripts where charts are not for it."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from neuron_cluster.errors import ToolkitError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_cluster.findings.finding import Finding
    from neuron_cluster.opened_environment import OpenedEnvironment
    from neuron_cluster.protocol.jobs import Job, JobOptions, RenderedJob
    from neuron_cluster.protocol.provider import Provider

OF_CHARTS = {
    "--front-end": "front_end",
    "--bucket": "bucket",
    "--claim": "claim",
    "--set": "settings",
    "--values": "values",
    "--release": "release",
    "--namespace": "namespace",
    "--values-only": "values_only",
    "--context": "context",
    "--kubeconfig": "kubeconfig",
    "--helm": "helm",
}
OF_JOBS = {
    "--devices": "devices",
    "--time": "time",
    "--variable": "variables",
    "--sbatch": "scheduler_options",
    "--run": "words",
}
"""Options and where the parser has them."""


def find_job(name: str) -> tuple[Provider, Job] | None:
    """The job of this name; None for any other workload."""
    from neuron_cluster.protocol.registry import registered

    return next(((each, job) for each in registered() for job in each.jobs() if job.name == name), None)


def require_chart(name: str) -> None:
    """Raises ``InvalidEnvironment`` for a name that is neither a bundled chart nor a job."""
    from neuron_cluster.protocol.registry import registered
    from neuron_cluster.toolkit_files import CHARTS
    from neuron_cluster.workloads.bundled_chart import require_bundled_chart

    require_bundled_chart(CHARTS, name, [job.name for each in registered() for job in each.jobs()])


def require_options_of_charts(options: argparse.Namespace) -> None:
    """Raises ``ToolkitError`` for an option that only jobs have."""
    for option, name in OF_JOBS.items():
        if getattr(options, name, None):
            raise ToolkitError(
                f"{option} is an option of jobs, and {options.chart} is a chart",
                hint="set values of the chart with --set or --values",
            )


def render(found: tuple[Provider, Job], options: argparse.Namespace) -> int:
    """Prints or writes the script; with an error the findings alone."""
    from neuron_cluster.atomic_write import write_atomically
    from neuron_cluster.cli.terminal import print_findings, print_findings_sarif, print_json
    from neuron_cluster.findings.finding import has_error

    opened, rendered, findings = rendered_job(found, options)
    if has_error(findings):
        return report_errors(findings, options)
    if options.output is not None:
        place = Path(options.output)
        is_folder = options.output.endswith(os.sep) or place.is_dir()
        path = place / rendered.file_name if is_folder else place
        write_atomically(path, rendered.script.encode(), with_folders=is_folder)
    if options.format == "json":
        print_json(as_data(opened, found[1], rendered, findings))
        return 0
    if options.format == "sarif":
        print_findings_sarif(findings)
        return 0
    if options.output is None:
        print(rendered.script, end="")
    print_findings(findings)
    return 0


def rendered_job(
    found: tuple[Provider, Job], options: argparse.Namespace
) -> tuple[OpenedEnvironment, RenderedJob, Sequence[Finding]]:
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.cli.open_environment import open_environment
    from neuron_cluster.findings.finding import Finding, Location
    from neuron_cluster.protocol.jobs import JobOptions as Requested

    provider, job = found
    for option, name in OF_CHARTS.items():
        if getattr(options, name, None):
            raise ToolkitError(
                f"{option} is an option of charts, and {job.name} is a job",
                hint="options of jobs: --group, --queue, --nodes, --model-config, " + ", ".join(OF_JOBS),
            )
    requested = Requested(
        group=options.group,
        queue=options.queue,
        nodes=options.nodes,
        devices=options.devices,
        time=options.time,
        words=tuple(options.words),
        variables=dict(options.variables),
        scheduler_options=tuple(options.scheduler_options),
    )
    opened = open_environment(options)
    rendered = provider.render_job(job, opened.plan, load_catalog(), requested)
    location = f"jobs/{job.name}"
    findings = [
        Finding(each.id, Location(location, path=each.option), each.message, each.hint) for each in rendered.findings
    ]
    return opened, rendered, [*findings, *_of_model(job, opened, rendered, requested, options.model_config)]


def _of_model(
    job: Job, opened: OpenedEnvironment, rendered: RenderedJob, requested: JobOptions, file: Path | None
) -> Sequence[Finding]:
    """Of the model of ``--model-config``, where the job has a place."""
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.workloads.job_models import PlacedJob, job_model_findings
    from neuron_cluster.workloads.model_shape import shape_of_file

    shape = shape_of_file(file) if file is not None else None
    group = next((each for each in opened.plan.cluster_groups if each.name == rendered.group), None)
    if shape is None or group is None:
        return ()
    placed = PlacedJob(
        name=job.name,
        frameworks=job.frameworks,
        fills_compile_cache=job.fills_compile_cache,
        words=requested.words,
        script=rendered.script,
        machine=group.machine,
        nodes=rendered.nodes,
        devices=rendered.devices,
        usable_memory=rendered.usable_memory,
        most_memory=rendered.most_memory,
        variables=requested.variables,
        sdk=opened.plan.neuron_sdk,
        region=opened.plan.region,
        zone_ids=group.zone_ids,
    )
    return tuple(job_model_findings(placed, shape, load_catalog()))


def report_errors(findings: Sequence[Finding], options: argparse.Namespace) -> int:
    from neuron_cluster.cli.terminal import print_findings, print_findings_json, print_findings_sarif, talk_stream

    if options.format == "json":
        print_findings_json(findings)
    elif options.format == "sarif":
        print_findings_sarif(findings)
    else:
        print_findings(findings, talk_stream("json"))
    return 1


def as_data(opened: OpenedEnvironment, job: Job, rendered: RenderedJob, findings: Sequence[Finding]) -> dict[str, Any]:
    return {
        "environment": opened.plan.name,
        "job": job.name,
        "node_group": rendered.group,
        "queue": rendered.queue,
        "nodes": rendered.nodes,
        "devices": rendered.devices,
        "script": rendered.script,
        "findings": [found.as_dict() for found in findings],
    }
