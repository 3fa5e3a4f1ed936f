"""Findings about rendered workloads: those of the user, and those of our own charts.

What is recorded of other software is judged by the rules (E5040, E5041), which see the plan alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.schedule.node_shape import NodeShape
from neuron_cluster.schedule.part_of_node import scattered_devices, way_out
from neuron_cluster.schedule.pod_shape import PodShape
from neuron_cluster.schedule.schedulers import is_placed
from neuron_cluster.schedule.verdict import Flaw, Verdict

PASSES_OVER, FITS_NOWHERE, IN_DOUBT, NOT_KNOWN, NOT_PLACED = "E9301", "E9302", "W9303", "W9304", "E9305"
SCATTERED, WAITS = "W9306", "W9307"

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
