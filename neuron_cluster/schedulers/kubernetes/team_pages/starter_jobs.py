"""Starter jobs of a team from the bundled charts: rendered with its namespace and queue, and checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from local_kubernetes.model.objects import KubernetesObject
from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.findings.finding import Finding, has_error
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.protocol.scheduler import Environment
from neuron_cluster.schedulers.kubernetes.software.lustre_volumes import LUSTRE_CLAIM
from neuron_cluster.schedulers.kubernetes.team_pages.job_size import JobSize
from neuron_cluster.schedulers.kubernetes.workloads.options import WorkloadOptions
from neuron_cluster.schedulers.kubernetes.workloads.prepared import PreparedWorkload, prepare_workload
from neuron_cluster.schedulers.kubernetes.workloads.storage import environment_claims
from neuron_cluster.schedulers.kubernetes.workloads.team_permissions import WITHOUT_OWN_ACCESS

TRAINING, SERVING = "neuron-training", "neuron-serving"
MODEL_FINDINGS = frozenset({"E9261", "E9262", "W9263", "E9297", "W9298"})
"""Findings about a model that is too large for the cores or the host of the job."""
OF_OBJECTS = frozenset({"E9209"})
"""Findings about kinds of objects and volumes that the cluster does not have."""
BEYOND_QUOTA = frozenset({"E9274", "E9299", "E9310", "E9363", "W9296"})
"""Findings about a team without devices: its page states that its jobs never start."""
NONE: frozenset[str] = frozenset()
OWN_HINTS: Mapping[str, str] = {
    "E9207": "members use images of their own",
    "E9212": "create shared storage (`storage.efs` or `storage.lustre`), and list it in `claims` of the namespace",
}
"""In the place of hints that name options of `workload render`."""
UNUSED = "unused"
"""In the place of names that no pod of the pack has."""
VARIANT = "-instruct"
"""The suffix of published models, which the catalog names without it."""


class StarterJob(Struct, frozen=True):
    """A rendered chart; ``objects`` are without Helm tests, each with its namespace."""

    prepared: PreparedWorkload
    size: JobSize
    options: WorkloadOptions
    objects: tuple[Mapping[str, Any], ...]

    @property
    def namespace(self) -> str:
        return self.prepared.namespace

    @property
    def values(self) -> Mapping[str, Any]:
        """The values that differ from those of the chart."""
        return self.prepared.workload.chosen.values

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Warnings."""
        return tuple(each for each in self.prepared.workload.findings if each.id not in BEYOND_QUOTA)


class NoJob(Struct, frozen=True):
    """Why a starter job cannot be rendered: ``causes`` for members, ``reasons`` with what an administrator sets."""

    causes: tuple[str, ...]
    reasons: tuple[str, ...]


def training_job(environment: Environment, cluster: KubernetesPlan, size: JobSize) -> StarterJob | NoJob:
    """As many nodes and devices as the size has."""
    return _rendered(environment, TRAINING, size, _options(cluster, size, "training"))


def serving_job(environment: Environment, cluster: KubernetesPlan, size: JobSize) -> StarterJob | NoJob:
    """One replica of the largest model of the catalog that fits; the chart's own first."""
    options = _options(cluster, size, "serving")
    found = _rendered(environment, SERVING, size, options)
    for row in sorted(environment.catalog.models, key=lambda row: row.parameters, reverse=True):
        if isinstance(found, StarterJob) and not _too_large(found.findings):
            return found
        if isinstance(found, NoJob) and not _is_of_model(found):
            return found
        name = f"{row.name}{VARIANT}"
        given = {**options.given, "model": {"name": name}, "weights": {"path": name}}
        found = _rendered(environment, SERVING, size, replace(options, given=given))
    return found


def one_device_job(environment: Environment, cluster: KubernetesPlan, size: JobSize) -> StarterJob | NoJob:
    """The chart whose image and place on the nodes the shell and the smoke test have: the first that has an image.

    Errors of what they do not share with it are ignored: its kinds of objects, its model and weights.
    """
    training = _rendered(environment, TRAINING, size, _options(cluster, size, "training"), ignored=OF_OBJECTS)
    if isinstance(training, StarterJob):
        return training
    options = _options(cluster, size, "serving")
    given = {**options.given, "model": {"name": UNUSED}, "weights": {"claim": UNUSED, "path": UNUSED}}
    serving = _rendered(environment, SERVING, size, replace(options, claim=None, given=given), ignored=OF_OBJECTS)
    return serving if isinstance(serving, StarterJob) else training


def _is_of_model(job: NoJob) -> bool:
    return any(reason.split()[0] in MODEL_FINDINGS for reason in job.reasons)


def _too_large(findings: Sequence[Finding]) -> bool:
    return any(finding.id in MODEL_FINDINGS for finding in findings)


def _options(cluster: KubernetesPlan, size: JobSize, release: str) -> WorkloadOptions:
    machine = {} if size.is_whole else {"machine": {"neuronDevices": size.devices}}
    return WorkloadOptions(
        group=size.share.group.name,
        nodes=size.nodes,
        queue=size.share.queue,
        claim=shared_claim(cluster, size.share.namespace),
        namespace=size.share.namespace,
        release=release,
        given={**WITHOUT_OWN_ACCESS, **machine},
    )


def shared_claim(cluster: KubernetesPlan, namespace: str) -> str | None:
    """The claim of the namespace that every node can write, Lustre first; None without one."""
    found = environment_claims(cluster, access_modes=("ReadWriteMany",))
    names = sorted(name for home, name in found if home == namespace)
    return LUSTRE_CLAIM if LUSTRE_CLAIM in names else next(iter(names), None)


def _rendered(
    environment: Environment,
    chart: str,
    size: JobSize,
    options: WorkloadOptions,
    *,
    ignored: frozenset[str] = NONE,
) -> StarterJob | NoJob:
    """``ignored``: ids of findings about the rendered objects that do not count."""
    try:
        prepared = prepare_workload(
            environment, chart, options, release=options.release, project=str(environment.project.root)
        )
    except InvalidEnvironment as error:
        return _no_job(error.findings)
    found = [each for each in prepared.workload.findings if each.id not in ignored | BEYOND_QUOTA]
    if has_error(found):
        return _no_job(found)
    objects = tuple(
        in_namespace(body, prepared.namespace)
        for body in prepared.workload.objects
        if not KubernetesObject(body, "").hooks
    )
    return StarterJob(prepared, size, options, objects)


def _no_job(findings: Sequence[Finding]) -> NoJob:
    """Once for each cause: several objects of a chart may have the same error."""
    errors = [finding for finding in findings if has_error([finding])]
    reasons = (f"{each.id} {each.message}; {OWN_HINTS.get(each.id, each.hint)}" for each in errors)
    return NoJob(
        tuple(dict.fromkeys(finding.message for finding in errors)),
        tuple(dict.fromkeys(reasons)),
    )


def in_namespace(body: Mapping[str, Any], namespace: str) -> Mapping[str, Any]:
    """The object with its namespace, so that no command must name it."""
    return {**body, "metadata": {**body["metadata"], "namespace": namespace}}


def render_command(job: StarterJob, environment: str) -> str:
    """The command of the toolkit that prints the same objects, with Helm tests."""
    options = job.options
    command = ["neuron-cluster", "workload", "render", job.prepared.workload.chosen.chart.name, environment]
    for option in ("group", "nodes", "queue", "claim", "namespace", "release"):
        value = getattr(options, option)
        if value is not None:
            command += [f"--{option}", str(value)]
    for key, value in _settings(options.given):
        command += ["--set", f"{key}={value}"]
    return " ".join(command)


def _settings(given: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for key, value in given.items():
        if isinstance(value, Mapping):
            yield from _settings(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", str(value).lower() if isinstance(value, bool) else str(value)
