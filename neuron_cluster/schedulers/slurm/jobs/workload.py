"""A job of Slurm as a workload: its options as text of the command line, its script as files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.workload import Placement, Rendered, Workload
from neuron_cluster.schedulers.slurm.cluster import slurm_of
from neuron_cluster.schedulers.slurm.jobs.job import Job, JobFinding, JobOptions, RenderedJob
from neuron_cluster.schedulers.slurm.jobs.job_models import PlacedJob as JobOfModel
from neuron_cluster.schedulers.slurm.jobs.job_models import job_model_findings
from neuron_cluster.schedulers.slurm.jobs.known_jobs import JOBS
from neuron_cluster.schedulers.slurm.jobs.render import PlacedJob, place_job, render_placed
from neuron_cluster.sizing.model_shape import ModelShape, shape_of_file


class SlurmPlacement(Placement, frozen=True, kw_only=True):
    """``model`` is that of ``--model-config``."""

    placed: PlacedJob
    model: ModelShape | None
    catalog: Catalog


def place_workload(
    workload: Workload, plan: ClusterPlan, values: Mapping[str, Any], catalog: Catalog
) -> SlurmPlacement | tuple[Finding, ...]:
    """The errors where it has any. Raises ``ToolkitError`` for a model that cannot be read."""
    (job,) = (each for each in JOBS if each.name == workload.name)
    options = JobOptions(
        group=values["group"],
        queue=values["queue"],
        nodes=values["nodes"],
        devices=values["devices"],
        time=values["time"],
        arguments=tuple(values["arguments"]),
        variables=dict(values["variables"]),
        scheduler_options=tuple(values["scheduler_options"]),
    )
    file = values["model_config"]
    model = shape_of_file(file, catalog) if file is not None else None
    placed = place_job(job, plan, slurm_of(plan), catalog, options)
    if not isinstance(placed, PlacedJob):
        return tuple(_finding(job, each) for each in placed)
    return SlurmPlacement(
        workload=workload, group=placed.placement.group.name, placed=placed, model=model, catalog=catalog
    )


def render_workload(made: SlurmPlacement) -> Rendered:
    """The script, with warnings, and with what is wrong with the model."""
    placed = made.placed
    rendered = render_placed(placed, made.catalog)
    findings = (*(_finding(placed.job, each) for each in rendered.findings), *_of_model(made, rendered))
    return Rendered(
        text=rendered.script,
        files={rendered.file_name: rendered.script},
        document={
            "environment": placed.plan.name,
            "job": placed.job.name,
            "node_group": rendered.group,
            "queue": rendered.queue,
            "nodes": rendered.nodes,
            "devices": rendered.devices,
            "script": rendered.script,
        },
        submission=rendered.submission,
        commands=rendered.commands,
        findings=findings,
    )


def _finding(job: Job, found: JobFinding) -> Finding:
    return Finding(found.id, Location(f"jobs/{job.name}", path=found.option), found.message, found.hint)


def _of_model(made: SlurmPlacement, rendered: RenderedJob) -> Iterator[Finding]:
    if made.model is None:
        return
    placed = made.placed
    job, plan, group = placed.job, placed.plan, placed.placement.group
    of_model = JobOfModel(
        name=job.name,
        frameworks=job.frameworks,
        fills_compile_cache=job.fills_compile_cache,
        arguments=placed.options.arguments,
        script=rendered.script,
        machine=group.machine,
        nodes=rendered.nodes,
        devices=rendered.devices,
        usable_memory=rendered.usable_memory,
        most_memory=rendered.most_memory,
        variables=placed.options.variables,
        sdk=plan.neuron_sdk,
        region=plan.region,
        zone_ids=group.zone_ids,
    )
    yield from job_model_findings(of_model, made.model, made.catalog)
