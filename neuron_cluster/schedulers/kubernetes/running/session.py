"""The cluster of an environment, reached by a context of a kubeconfig that was checked to be its own."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.kube.cluster_context import open_kubectl, require_cluster
from neuron_cluster.kube.cluster_tools import helm_of
from neuron_cluster.kube.helm import Helm
from neuron_cluster.kube.kubectl import Kubectl
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.protocol.scheduler import Environment
from neuron_cluster.schedulers.kubernetes.running.cluster_state import (
    ClusterState,
    holds,
    read_state,
    with_all_workloads,
)
from neuron_cluster.schedulers.kubernetes.running.release import Release, find_release, releases_in
from neuron_cluster.schedulers.kubernetes.running.situation import EnvironmentGroups, Situation
from neuron_cluster.schedulers.kubernetes.workloads.queue_selection import default_namespace
from neuron_cluster.schedulers.kubernetes.workloads.recipes import RECIPES


class Session(Struct, frozen=True):
    """Requests go to this cluster alone."""

    plan: ClusterPlan
    cluster: KubernetesPlan
    kubectl: Kubectl
    project: Path
    catalog: Catalog

    @property
    def charts(self) -> Collection[str]:
        return RECIPES.keys()

    @property
    def command(self) -> str:
        """How a command for the user begins: with the kubectl that the user has."""
        file = self.kubectl.kubeconfig
        own = f" --kubeconfig {file}" if file is not None else ""
        return f"kubectl --context {self.kubectl.context}{own}"

    def helm(self) -> Helm:
        return helm_of(self.cluster, self.catalog, self.project)

    def namespace_or_default(self, namespace: str | None) -> str:
        return namespace or default_namespace(self.cluster)

    def read(self, namespace: str | None, now: datetime) -> ClusterState:
        """Raises ``KubectlError``."""
        return read_state(self.kubectl, namespace, now)

    def situation(self, state: ClusterState, name: str, release: str | None, namespace: str | None) -> Situation:
        """With those who use the quota that it waits for.

        Raises ``ToolkitError`` where no release has the name, or several do.
        """
        found = find_release(releases_in(state, self.charts), name, release, namespace)
        if not all(holds(body, "Admitted") for body in found.workloads):
            state = with_all_workloads(self.kubectl, state)
        return self.situation_of(state, found)

    def situation_of(self, state: ClusterState, release: Release) -> Situation:
        cluster = self.cluster
        groups = EnvironmentGroups(
            environment=self.plan.name,
            key=cluster.key("node_groups"),
            groups={group.name: group for group in cluster.node_groups},
            autoscaler=cluster.node_autoscaler,
        )
        return Situation(release, state, groups, self.command)


def open_session(opened: Environment, context: str, kubeconfig: Path | None) -> Session:
    """Raises ``ToolkitError`` for an environment without a cluster, ``InvalidEnvironment`` for another's context."""
    kubectl = open_kubectl(opened.plan, context, kubeconfig, opened.project.root, opened.catalog)
    return Session(opened.plan, require_cluster(opened.plan), kubectl, opened.project.root, opened.catalog)
