"""Findings about rendered workloads: those of the user, and those of our own charts.

What is recorded of other software is judged by the rules (E5040, E5041), which see the plan alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.findings.references import References
from neuron_cluster.schedule.node_shape import NodeShape
from neuron_cluster.schedule.part_of_node import SCATTERED_PAGE, SCATTERED_THREADS, scattered_devices, way_out
from neuron_cluster.schedule.pod_shape import PodShape
from neuron_cluster.schedule.schedulers import is_placed
from neuron_cluster.schedule.verdict import Flaw, Verdict

PASSES_OVER, FITS_NOWHERE, IN_DOUBT, NOT_KNOWN, NOT_PLACED = "E9301", "E9302", "W9303", "W9304", "E9305"
SCATTERED, WAITS = "W9306", "W9307"

SCHEDULE_PAGES: dict[str, tuple[str, str]] = {
    PASSES_OVER: (
        "A DaemonSet runs on every node group that needs it.",
        "Kubernetes says nothing when it does not: the DaemonSet wants fewer nodes, without any event.",
    ),
    FITS_NOWHERE: (
        "A workload fits on a node group, with all its pods at once.",
        "Otherwise its pods stay Pending, and so does every job that waits for the last of them.",
    ),
    IN_DOUBT: (
        "A workload fits on a node group, as far as is known.",
        "Against it speaks an amount that no source gives for sure, such as the memory that the kernel keeps.",
    ),
    NOT_KNOWN: (
        "Everything with containers among the given objects is of a kind whose pods are known.",
        "Nothing was asked about the others: that the rest fits says nothing of them.",
    ),
    NOT_PLACED: (
        "The scheduler that a pod names is one of the cluster.",
        "A pod that names another one stays Pending, without any event: nobody looks at it.",
    ),
    SCATTERED: SCATTERED_PAGE,
    WAITS: (
        "The groups that a workload fits on run enough nodes for all its pods (`count.desired`).",
        (
            "No node is added by itself. Until the file asks for more, pods stay Pending; a job with a queue waits in "
            "it, since the queue has the devices of `count.desired` nodes."
        ),
    ),
}
"""By id, a sentence that says what must hold, and why."""

SCHEDULE_THREADS: Mapping[str, References] = {
    PASSES_OVER: ("eksctl-io/eksctl#6063",),
    FITS_NOWHERE: (
        "aws/karpenter-provider-aws#3315",
        "aws/karpenter-provider-aws#6296",
        "skypilot-org/skypilot#10168",
    ),
    SCATTERED: SCATTERED_THREADS,
}
"""By id, of people whom it would have helped."""

JUDGE_A_POD = "judge a Pod or a Job that is as its pods will be"


def findings_about(judged: Iterable[tuple[str, Verdict]]) -> Iterator[Finding]:
    """What is wrong with each workload; the text beside it says where it comes from: a file, ``charts/NAME``."""
    for source, verdict in judged:
        for flaw in verdict.flaws:
            finding_id = _id_of(flaw)
            yield Finding(finding_id, Location(source), flaw.words, flaw.way)


def not_placed(asked: Iterable[tuple[str, PodShape]], known: Sequence[str]) -> Iterator[Finding]:
    """About each workload, with its source, that waits for a scheduler that is none of the ``known`` ones."""
    for source, pod in asked:
        if not is_placed(pod, known):
            words = f"{pod.workload} names the scheduler {pod.scheduler}, which the environment does not have"
            yield Finding(
                NOT_PLACED, Location(source), words, f"leave it out, or name one of these: {', '.join(known)}"
            )


def scattered(
    judged: Iterable[tuple[str, Verdict]], nodes: Sequence[NodeShape], known: Sequence[str]
) -> Iterator[Finding]:
    """About each workload, with its source, that gets some devices of a node from a scheduler that only counts them."""
    for source, verdict in judged:
        fitting = {each.group for each in verdict.groups if each.fits}
        parts = scattered_devices(verdict.pod, [node for node in nodes if node.group in fitting])
        if parts:
            words = f"{verdict.pod.workload} asks for {parts}, and nothing sees to it that they are connected"
            yield Finding(SCATTERED, Location(source), words, way_out(known))


def waiting(judged: Iterable[tuple[str, Verdict]]) -> Iterator[Finding]:
    """About each workload, with its source, that waits for a larger ``count.desired``."""
    for source, verdict in judged:
        if verdict.waits:
            pod, fitting = verdict.pod, [each for each in verdict.groups if each.fits]
            pods = "1 pod" if pod.replicas == 1 else f"{pod.replicas} pods at once"
            running = ", ".join(f"{each.group} {each.at_desired}" for each in fitting)
            words = f"{pod.workload} is {pods}, and waits: at count.desired its groups run of them: {running}"
            sizes = [f"of {each.group} to {each.desired_for}" for each in fitting if each.desired_for is not None]
            way = " or ".join(sizes) if sizes else f"of {' and '.join(each.group for each in fitting)}"
            yield Finding(WAITS, Location(source), words, f"raise count.desired {way}, and deploy")


def not_known(place: Location, words: str) -> Finding:
    """About an object that has containers, and is of a kind whose pods are not known."""
    return Finding(NOT_KNOWN, place, f"not judged: {words}: its pods are not known here", JUDGE_A_POD)


def _id_of(flaw: Flaw) -> str:
    if not flaw.is_certain:
        return IN_DOUBT
    return FITS_NOWHERE if flaw.group is None else PASSES_OVER
