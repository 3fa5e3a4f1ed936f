"""The start of a workload in numbers: from its values, its nodes and the catalog."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from local_kubernetes.model.chart_values import merged
from local_kubernetes.model.fields import at
from local_kubernetes.model.names import GROUP_LABEL
from local_kubernetes.model.objects import KubernetesObject
from local_kubernetes.model.pod_templates import pod_templates
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.controller_timing import ControllerTiming
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.schedulers.kubernetes.workloads.startup.budget import StartBudget, StartStep, Step
from neuron_cluster.schedulers.kubernetes.workloads.startup.limits import start_limits
from neuron_cluster.schedulers.kubernetes.workloads.startup.needs import StartNeeds, whole
from neuron_cluster.schedulers.kubernetes.workloads.values import WorkloadValues

MIB_OF_A_GIB = 1024
GIGABITS_OF_A_GIB = 8.59
JOIN, PULL, PARALLEL_PULL, COMPILATION = (
    "node_boot_and_join",
    "image_pull",
    "image_pull_parallel",
    "large_model_compilation",
)
"""Rows of the catalog."""


def start_budget(
    chosen: WorkloadValues, objects: Sequence[Mapping[str, Any]], cluster: KubernetesPlan, catalog: Catalog
) -> StartBudget:
    """Returns the budget of the workload as it is rendered."""
    values = merged(chosen.chart.defaults, chosen.values)
    group = _group(objects, cluster, chosen.group)
    needs = chosen.chart.recipe.start(values)
    together = _pods_on_a_node(needs, values, chosen)
    steps = (*_fill_steps(needs), *_machine_steps(group, catalog), *_program_steps(needs, group, together, catalog))
    return StartBudget(tuple(steps), tuple(start_limits(needs, values, objects, cluster)), needs.to_keep_graphs)


def _group(objects: Sequence[Mapping[str, Any]], cluster: KubernetesPlan, chosen: NodeGroupPlan) -> NodeGroupPlan:
    """Returns the group of the pods by their node selector: pods without devices are on CPU nodes. Ignores tests."""
    owners = [KubernetesObject(body, "") for body in objects]
    names = {
        at(template.spec, "nodeSelector", GROUP_LABEL)
        for owner in owners
        if "test" not in owner.hooks
        for template in pod_templates(owner)
    }
    if chosen.name in names:
        return chosen
    return next((group for group in cluster.node_groups if group.name in names), chosen)


def _pods_on_a_node(needs: StartNeeds, values: Mapping[str, Any], chosen: WorkloadValues) -> int:
    devices, of_pod = chosen.node.free_neuron_devices, whole(values, "machine.neuronDevices")
    return max(min(needs.replicas, devices // of_pod), 1) if of_pod else 1


def _fill_steps(needs: StartNeeds) -> Iterator[StartStep]:
    if needs.is_filled_before:
        yield StartStep(
            name=Step.FILL,
            cold_seconds=float(needs.compile_seconds or 0),
            warm_seconds=0,
            reason=f"{needs.compile_key}: compile-cache-warmer, before the first start (precompiled.required)",
        )


def _machine_steps(group: NodeGroupPlan, catalog: Catalog) -> Iterator[StartStep]:
    timings = catalog.controller_timings
    yield _of_catalog(Step.NODE_JOIN, timings[JOIN], "boot of the instance")
    row = catalog.start_timings[PARALLEL_PULL] if group.pulls_in_parallel else timings[PULL]
    how = "layers in parallel" if group.pulls_in_parallel else "layers one after another"
    yield _of_catalog(Step.IMAGE_PULL, row, f"{how}, to {_disk(group)}")


def _of_catalog(step: Step, row: ControllerTiming, reason: str) -> StartStep:
    return StartStep(
        name=step,
        cold_seconds=row.seconds,
        warm_seconds=0,
        reason=reason,
        source=row.source,
        doubt=row.doubt_about("seconds"),
    )


def _disk_mibps(group: NodeGroupPlan) -> int | None:
    """None for the instance's own disks, for which no source has a figure."""
    volume = group.machine.root_volume
    return None if group.machine.local_disks is not None or volume is None else volume.throughput_mibps


def _disk(group: NodeGroupPlan) -> str:
    rate = _disk_mibps(group)
    return "local NVMe disks" if rate is None else f"a root volume of {rate} MiB/s"


def _program_steps(needs: StartNeeds, group: NodeGroupPlan, together: int, catalog: Catalog) -> Iterator[StartStep]:
    if needs.copy_gib:
        seconds, reason = _copy(needs, group, 1 if needs.keeps_copy else together)
        warm = 0 if needs.keeps_copy else seconds
        yield StartStep(name=Step.COPY, cold_seconds=seconds, warm_seconds=warm, reason=reason)
    if needs.compiles:
        yield _compilation(needs, catalog)
    if needs.load_seconds:
        read = _reading_seconds(needs)
        slow = f"; reading {needs.read_gib} GiB at {needs.gigabits_per_second} Gbit/s takes {read:.0f} s"
        yield StartStep(
            name=Step.LOAD,
            cold_seconds=max(needs.load_seconds, round(read)),
            warm_seconds=needs.load_seconds,
            reason=needs.load_key + (slow if read > needs.load_seconds else ""),
        )


def _copy(needs: StartNeeds, group: NodeGroupPlan, together: int) -> tuple[int, str]:
    """As fast as the network, or as the disk that all pods of the node write to."""
    network = needs.copy_gib * GIGABITS_OF_A_GIB / needs.gigabits_per_second if needs.gigabits_per_second else 0
    rate = _disk_mibps(group)
    disk = needs.copy_gib * together * MIB_OF_A_GIB / rate if rate else 0
    if disk > network:
        pods = f"of each of {together} pods " if together > 1 else ""
        return round(disk), f"{needs.copy_gib} GiB {pods}to {_disk(group)}"
    return round(network), f"{needs.copy_gib} GiB at {needs.gigabits_per_second} Gbit/s"


def _reading_seconds(needs: StartNeeds) -> float:
    return needs.read_gib * GIGABITS_OF_A_GIB / needs.gigabits_per_second if needs.gigabits_per_second else 0


def _compilation(needs: StartNeeds, catalog: Catalog) -> StartStep:
    row = catalog.start_timings[COMPILATION] if needs.compile_seconds is None else None
    cold = row.seconds if row is not None else float(needs.compile_seconds or 0)
    return StartStep(
        name=Step.COMPILE,
        cold_seconds=cold,
        warm_seconds=0 if needs.keeps_graphs else cold,
        reason=(needs.compile_key or "a large model")
        + ("" if needs.keeps_graphs else "; what it compiles is not kept"),
        source=row.source if row is not None else "",
        doubt=row.doubt_about("seconds") if row is not None else None,
    )
