"""Findings about the pods of bundled charts and of user manifests.

Recorded pods of other software are checked by the rules E5040 and E5041, which see the plan alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from local_kubernetes.model.scheduling.evaluation import SchedulingFailure, SchedulingResult
from local_kubernetes.model.scheduling.node import NodeInfo
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.schedulers.kubernetes.workloads.image_compatibility import pod_image_findings
from neuron_cluster.schedulers.kubernetes.workloads.image_context import ImageContext
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.partial_devices import (
    hint_for_partial_devices,
    partial_devices,
    words_of,
)

DAEMON_SET_MISSING, FITS_NOWHERE, IN_DOUBT, UNKNOWN_KIND = "E9301", "E9302", "W9303", "W9304"
UNKNOWN_SCHEDULER, PARTIAL_DEVICES, STAYS_PENDING = "E9305", "W9306", "W9307"

CHECK_A_POD = "check a Pod or a Job with the same pod spec"


def findings_of_results(results: Iterable[tuple[str, SchedulingResult]]) -> Iterator[Finding]:
    """The failures of each workload; the string is its source: a file, ``charts/NAME``."""
    for source, result in results:
        for failure in result.failures:
            yield Finding(_id_of(failure), Location(source), failure.message, failure.hint)


def findings_of_user_pods(
    results: Sequence[tuple[str, SchedulingResult]],
    nodes: Sequence[NodeInfo],
    schedulers: tuple[str, ...],
    flag: str,
    catalog: Catalog,
) -> Iterator[Finding]:
    """Further findings about user manifests: scheduler, partial devices, desired size. ``nodes`` are empty ones.

    ``flag`` is the key of the file that adds the scheduler of Neuron.
    """
    for check in (
        unknown_scheduler(results, schedulers),
        partial_device_requests(results, nodes, schedulers, flag, catalog),
        pending_at_desired_size(results),
    ):
        yield from check


def unknown_scheduler(
    results: Iterable[tuple[str, SchedulingResult]], schedulers: tuple[str, ...]
) -> Iterator[Finding]:
    """E9305 for each workload with a scheduler that the cluster does not have."""
    for source, result in results:
        pod = result.pod
        if not pod.has_scheduler(schedulers):
            message = f"{pod.workload} names the scheduler {pod.scheduler}, which the environment does not have"
            hint = f"leave it out, or name one of these: {', '.join(schedulers)}"
            yield Finding(UNKNOWN_SCHEDULER, Location(source), message, hint)


def partial_device_requests(
    results: Iterable[tuple[str, SchedulingResult]],
    nodes: Sequence[NodeInfo],
    schedulers: tuple[str, ...],
    flag: str,
    catalog: Catalog,
) -> Iterator[Finding]:
    """W9306 for each workload with a part of a node's devices: of a number that is not connected on the type, or
    allocated by a scheduler that only counts them."""
    for source, result in results:
        fitting = {each.group for each in result.fitting}
        if parts := partial_devices(result.pod, [node for node in nodes if node.group in fitting], catalog):
            message = f"{result.pod.workload} requests {words_of(parts)}"
            yield Finding(PARTIAL_DEVICES, Location(source), message, hint_for_partial_devices(parts, schedulers, flag))


def pending_at_desired_size(results: Iterable[tuple[str, SchedulingResult]]) -> Iterator[Finding]:
    """W9307 for each workload that needs a higher ``count.desired``."""
    for source, result in results:
        if result.stays_pending:
            pod, fitting = result.pod, result.fitting
            pods = "1 pod" if pod.replicas == 1 else f"{pod.replicas} pods at once"
            running = ", ".join(f"{each.group} {each.at_desired}" for each in fitting)
            message = f"{pod.workload} has {pods} and stays Pending: at count.desired its groups run {running}"
            sizes = [f"of {each.group} to {each.required_size}" for each in fitting if each.required_size is not None]
            where = " or ".join(sizes) if sizes else f"of {' and '.join(each.group for each in fitting)}"
            yield Finding(STAYS_PENDING, Location(source), message, f"raise count.desired {where}, and deploy")


def image_findings(results: Iterable[tuple[str, SchedulingResult]], context: ImageContext) -> Iterator[Finding]:
    """The findings about images that `workload render` has too."""
    for source, result in results:
        for each in pod_image_findings(result, context):
            place = Location(source, path=f"{result.pod.workload} {each.image.path}")
            yield Finding(each.finding_id, place, each.message, each.hint)


def unknown_kind(place: Location, text: str) -> Finding:
    """W9304 for an object with containers, of a kind whose pods are not known."""
    return Finding(UNKNOWN_KIND, place, f"not checked: {text}: the pods of this kind are not known", CHECK_A_POD)


def _id_of(failure: SchedulingFailure) -> str:
    if not failure.is_certain:
        return IN_DOUBT
    return FITS_NOWHERE if failure.group is None else DAEMON_SET_MISSING
