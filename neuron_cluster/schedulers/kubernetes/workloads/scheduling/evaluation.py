"""The evaluation of pods on the nodes of an environment: `schedule` and `workload render` both begin here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from local_kubernetes.model.scheduling.evaluation import SchedulingResult, evaluate_pods
from local_kubernetes.model.scheduling.free_allocatable import free_allocatable
from local_kubernetes.model.scheduling.node import NodeInfo
from local_kubernetes.model.scheduling.pod import PodInfo
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.kubernetes_nodes import kubernetes_nodes
from neuron_cluster.plan.needed_software import NO_DIGESTS
from neuron_cluster.protocol.pod_schedule import PodSchedule
from neuron_cluster.schedulers.kubernetes.software.schedulers import schedulers
from neuron_cluster.schedulers.kubernetes.workloads.image_context import ImageContext
from neuron_cluster.schedulers.kubernetes.workloads.mountpoint.checkpoints import mountpoint_findings
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.core_counts import core_count_findings
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.disruption_budgets import disruption_budget_findings
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.field_admission import field_admission_findings
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.findings import (
    findings_of_results,
    findings_of_user_pods,
    image_findings,
)
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.partial_devices import SCHEDULER_FLAG
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.pod_security import pod_security_findings
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.queue_admission import queue_admission_findings
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.queue_capacity import capacity_findings
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.quota_admission import quota_admission_findings
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.software_pods import SoftwarePod
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.user_pods import UserPods
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.zones import zone_findings
from neuron_cluster.schedulers.kubernetes.workloads.team_images import user_image_list_findings


class Evaluation(Struct, frozen=True):
    """``nodes`` have their free allocatable, one for each node group in the order of the file."""

    nodes: tuple[NodeInfo, ...]
    has_auto_mode: bool = False

    def results(self, pods: Sequence[PodInfo]) -> tuple[SchedulingResult, ...]:
        """Each workload on every node group."""
        return evaluate_pods(self.nodes, pods, has_auto_mode=self.has_auto_mode)

    def node_of(self, group: str) -> NodeInfo:
        """Raises ``LookupError`` for a group that the environment does not have."""
        found = next((node for node in self.nodes if node.group == group), None)
        if found is None:
            raise LookupError(f"the environment has no node group {group}")
        return found


def evaluate(plan: ClusterPlan, catalog: Catalog, workloads: Iterable[PodInfo]) -> Evaluation:
    """The nodes of the plan's groups, minus what the DaemonSets among the workloads request."""
    if plan.kubernetes is None:
        return Evaluation(())
    has_autoscaler = plan.kubernetes.node_autoscaler is not None
    return Evaluation(free_allocatable(kubernetes_nodes(plan, catalog), workloads), has_autoscaler)


def schedule_of(
    plan: ClusterPlan,
    catalog: Catalog,
    software: Sequence[SoftwarePod],
    user: UserPods | None,
    digests: Mapping[str, str | None] = NO_DIGESTS,
) -> PodSchedule:
    """All pods on all groups. ``user`` are the pods of user manifests, None where none are given.

    ``digests`` are those of the lock, by image.
    """
    user_pods = user.pods if user is not None else ()
    if plan.kubernetes is None:
        return PodSchedule((), (), user.findings if user is not None else ())
    pods = [pod for _, pod in (*software, *user_pods)]
    evaluation = evaluate(plan, catalog, pods)
    results = evaluation.results(pods)
    of_software, of_user = results[: len(software)], results[len(software) :]
    rendered = [(source, result) for (source, _), result in zip(software, of_software, strict=True) if source]
    given = [(source, result) for (source, _), result in zip(user_pods, of_user, strict=True)]
    findings = [*(user.findings if user is not None else ()), *findings_of_results([*rendered, *given])]
    if given:
        empty_nodes = kubernetes_nodes(plan, catalog)
        findings += findings_of_user_pods(
            given, empty_nodes, schedulers(plan, catalog), plan.kubernetes.key(*SCHEDULER_FLAG), catalog
        )
        findings += queue_admission_findings(given, user.manifests if user else (), empty_nodes, plan.kubernetes)
        findings += core_count_findings(user.manifests if user else (), given, empty_nodes)
        findings += zone_findings(user.manifests if user else (), given, plan.kubernetes)
        findings += image_findings(given, ImageContext(plan, catalog, digests))
    if user is not None:
        findings += mountpoint_findings(user.manifests, plan, catalog)
        findings += pod_security_findings(user.manifests, plan.kubernetes)
        findings += field_admission_findings(user.manifests, plan.kubernetes)
        findings += quota_admission_findings(user.manifests, plan.kubernetes)
        findings += disruption_budget_findings(user.manifests)
        findings += capacity_findings(user.manifests, plan.kubernetes, catalog)
        findings += user_image_list_findings(user.manifests, plan.kubernetes)
    return PodSchedule(evaluation.nodes, of_software if user is None else of_user, tuple(findings))
