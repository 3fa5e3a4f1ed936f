"""Builds the cluster of a rehearsal from an environment, and runs a rendered workload in it."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from local_kubernetes.model.fields import at
from local_kubernetes.model.objects import KubernetesObject
from local_kubernetes.model.pod_templates import pod_templates
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.errors import ToolkitError
from neuron_cluster.rehearsal.agenda import Agenda
from neuron_cluster.rehearsal.clock import Clock
from neuron_cluster.rehearsal.cluster import jobs, leader_worker_sets, probes, scheduler, volumes
from neuron_cluster.rehearsal.cluster.client import CLIENT
from neuron_cluster.rehearsal.cluster.objects import Node, NodeState
from neuron_cluster.rehearsal.cluster.pod_files import buckets_folder
from neuron_cluster.rehearsal.cluster.ultraservers import in_ultraserver
from neuron_cluster.rehearsal.cluster.world import Seconds, World
from neuron_cluster.rehearsal.given_files import put, require_claims
from neuron_cluster.rehearsal.isolated import require_support, run_isolated
from neuron_cluster.rehearsal.outcome import NodeUse, Outcome, progress_of, requests_of, restarts_of
from neuron_cluster.rehearsal.planned_faults import Middle
from neuron_cluster.rehearsal.rehearsal import Rehearsal
from neuron_cluster.rehearsal.rehearsal_plan import NodeGroup, RehearsalPlan
from neuron_cluster.rehearsal.timeline import Timeline

MODELLED = frozenset({"DaemonSet", "Deployment", "Job", "JobSet", "LeaderWorkerSet", "MPIJob"})
"""Kinds with pods that are run."""
SERVERS = frozenset({"DaemonSet", "Deployment", "LeaderWorkerSet"})
"""Kinds that have no end."""
SILENT = frozenset(
    {
        "ConfigMap",
        "NetworkPolicy",
        "PodDisruptionBudget",
        "ResourceClaim",
        "ResourceClaimTemplate",
        "Role",
        "RoleBinding",
        "Service",
        "ServiceAccount",
    }
)
"""Kinds without an effect on programs here, in addition to those that are modelled."""
CLAIM_MODE = 0o1777
"""As the environment makes its folders; see schedulers/kubernetes/software/lustre_folders.py."""


def rehearse(
    plan: RehearsalPlan, catalog: Catalog, *, keep: Path | None, progress: Callable[[float, str], None]
) -> Outcome:
    """Runs it. ``keep`` is a folder without content for logs and volumes; without one they are deleted.

    Raises ``ToolkitError`` where this machine cannot, or the workload has nothing that can be run or lacks a claim.
    """
    require_support()
    if not any(body.get("kind") in MODELLED for body in plan.objects):
        kinds = ", ".join(sorted({str(body.get("kind")) for body in plan.objects}))
        raise ToolkitError(
            f"nothing of this workload can be rehearsed: it has {kinds}",
            hint=f"rehearsed: {', '.join(sorted(MODELLED))}",
        )
    require_claims(plan.files, _claims(plan.objects))
    folder = keep if keep is not None else Path(tempfile.mkdtemp(prefix="neuron-cluster-rehearsal-"))
    folder.mkdir(parents=True, exist_ok=True)
    try:
        result = run_isolated(lambda: msgspec.json.encode(_run(plan, folder, progress, catalog)))
    finally:
        if keep is None:
            shutil.rmtree(folder, ignore_errors=True)
    return msgspec.json.decode(result, type=Outcome)


def _run(plan: RehearsalPlan, folder: Path, progress: Callable[[float, str], None], catalog: Catalog) -> Outcome:
    clock = Clock(folder / "clock")
    timeline = Timeline(clock)
    world = World(
        clock=clock,
        agenda=Agenda(clock),
        timeline=timeline,
        seconds=Seconds(catalog.controller_timings.by_name, plan.seconds),
        folder=folder,
        ranks=plan.ranks,
        compile_seconds=plan.compile_seconds,
    )
    world.nodes = [node for group in plan.groups for node in _nodes(group)]
    for claim in _claims(plan.objects):
        world.claims[claim] = folder / "claims" / claim
        world.claims[claim].mkdir(parents=True)
        world.claims[claim].chmod(CLAIM_MODE)
    put(plan.files, world.claims, buckets_folder(world))
    served = _served(plan.objects)
    rehearsal = Rehearsal(
        world,
        queue=plan.queue,
        faults=plan.faults,
        middle=_middle(plan, is_server=bool(served)),
        progress=progress,
    )
    rehearsal.create(plan.objects, plan.namespace)
    if served:
        rehearsal.send_requests(served)
    rehearsal.run(plan.limit_seconds)
    ended, why = rehearsal.ended()
    rehearsal.faults.miss_the_rest("the rehearsal ended before")
    if served:
        rehearsal.end_requests()
    return _outcome(plan, rehearsal, ended, why)


def _nodes(group: NodeGroup) -> Iterator[Node]:
    for number in range(group.nodes):
        info = in_ultraserver(group.node, number, group.ultraserver_sizes)
        yield Node(
            name=f"{info.group}-{number}",
            info=info,
            position=number,
            state=NodeState.READY,
            recovery=group.recovery,
            repair_seconds=group.repair_seconds,
        )


def _middle(plan: RehearsalPlan, *, is_server: bool) -> Middle:
    if is_server:
        return Middle(seconds=plan.limit_seconds / 2)
    return Middle(step=max(1, plan.steps // 2)) if plan.trains else Middle()


def _served(objects: tuple[Mapping[str, Any], ...]) -> str:
    """The first Service of a workload that serves; empty without one."""
    kinds = {str(body.get("kind")) for body in objects}
    services = (str(at(body, "metadata", "name")) for body in objects if body.get("kind") == "Service")
    return next(services, "") if kinds & SERVERS else ""


def _outcome(plan: RehearsalPlan, rehearsal: Rehearsal, ended: str, why: str) -> Outcome:
    world, events = rehearsal.world, rehearsal.world.timeline.events
    end = round(world.clock.now(), 1)
    used = {pod.node.name for pod in world.pods if pod.node is not None and pod.owner != CLIENT}
    nodes = tuple(
        NodeUse(node.name, round(node.started_at, 1), end if node.ended_at is None else round(node.ended_at, 1))
        for node in world.nodes
        if node.name in used
    )
    counted, uncounted = restarts_of(events)
    price = {group.node.group: group.hourly_usd for group in plan.groups}
    usd = [_usd(node, price[group]) for node, group in zip(nodes, _groups(world, used), strict=True)]
    return Outcome(
        ended=ended,
        why=why,
        seconds=end,
        progress=progress_of(events) if plan.trains else None,
        requests=requests_of(events, end) if rehearsal.is_server else None,
        counted_restarts=counted,
        uncounted_restarts=uncounted,
        nodes=nodes,
        usd=None if None in usd else round(sum(each or 0.0 for each in usd), 2),
        events=tuple(events),
        trainer=plan.trainer,
        not_modelled=tuple(dict.fromkeys(_not_modelled(plan.objects))),
        missed_faults=tuple(rehearsal.faults.missed),
        replaced_programs=tuple(sorted(rehearsal.replaced_programs)),
        files=tuple(map(str, plan.files)),
    )


def _groups(world: World, used: set[str]) -> list[str]:
    return [node.info.group for node in world.nodes if node.name in used]


def _usd(node: NodeUse, hourly_usd: float | None) -> float | None:
    return None if hourly_usd is None else (node.ended_at - node.started_at) / 3600 * hourly_usd


def _templates(objects: tuple[Mapping[str, Any], ...]) -> Iterator[Mapping[str, Any]]:
    for body in objects:
        if body.get("kind") in MODELLED:
            yield from (template.spec for template in pod_templates(KubernetesObject(body, "")))


def _claims(objects: tuple[Mapping[str, Any], ...]) -> set[str]:
    volumes_of = (at(spec, "volumes") or [] for spec in _templates(objects))
    names = (at(each, "persistentVolumeClaim", "claimName") for found in volumes_of for each in found)
    return {str(name) for name in names if name is not None}


def _not_modelled(objects: tuple[Mapping[str, Any], ...]) -> Iterator[str]:
    """Yields the parts of the workload that have no effect here."""
    for body in objects:
        if body.get("kind") not in MODELLED | SILENT:
            yield f"{body.get('kind')} {at(body, 'metadata', 'name')}"
    for spec in _templates(objects):
        yield from volumes.unmodelled(spec)
        yield from probes.unmodelled(spec)
        yield from scheduler.unmodelled(spec)
    for body in objects:
        if body.get("kind") == "Job":
            yield from jobs.unmodelled(at(body, "spec"))
        if body.get("kind") == "LeaderWorkerSet":
            yield from leader_worker_sets.unmodelled(body)
