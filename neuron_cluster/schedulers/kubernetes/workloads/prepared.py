"""A workload from its options to the command that installs it."""

from __future__ import annotations

from pathlib import Path

import yaml
from msgspec import Struct, to_builtins
from msgspec.structs import replace

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.kube.cluster_context import require_cluster_context
from neuron_cluster.kube.cluster_tools import helm_of, kubectl_of
from neuron_cluster.kube.helm import Helm, Target
from neuron_cluster.kube.kubeconfig import context_cluster, default_kubeconfigs
from neuron_cluster.kube.kubectl import Kubectl
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.protocol.scheduler import Environment
from neuron_cluster.schedulers.kubernetes.workloads.bundled_chart import bundled_chart
from neuron_cluster.schedulers.kubernetes.workloads.findings import invalid_workload
from neuron_cluster.schedulers.kubernetes.workloads.options import WorkloadOptions
from neuron_cluster.schedulers.kubernetes.workloads.queue_selection import default_namespace
from neuron_cluster.schedulers.kubernetes.workloads.rendering import RenderedWorkload, render_workload
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.software_pods import software_pods
from neuron_cluster.schedulers.kubernetes.workloads.team_permissions import not_allowed, refused_finding
from neuron_cluster.schedulers.kubernetes.workloads.values import WorkloadValues, workload_values
from neuron_cluster.toolkit_files import CHARTS


class SelectedWorkload(Struct, frozen=True):
    """Values for an environment, and what they are rendered with."""

    plan: ClusterPlan
    cluster: KubernetesPlan
    chosen: WorkloadValues
    release: str
    namespace: str
    helm: Helm
    root: Path
    """The folder of the project."""
    catalog: Catalog


class PreparedWorkload(Struct, frozen=True):
    """A rendered workload, and what it was rendered for."""

    plan: ClusterPlan
    cluster: KubernetesPlan
    workload: RenderedWorkload
    release: str
    namespace: str
    helm: Helm
    catalog: Catalog
    root: Path = Path()
    """The folder of the project."""

    @property
    def values_text(self) -> str:
        """The values as a file."""
        chosen = self.workload.chosen
        head = f"# {chosen.chart.name} on node group {chosen.group.name} of {self.plan.name}.\n"
        return head + yaml.safe_dump(to_builtins(chosen.values), sort_keys=False, width=120)


def prepare_workload(
    environment: Environment, chart_name: str, options: WorkloadOptions, *, release: str | None, project: str | None
) -> PreparedWorkload:
    """Selects, renders and checks. Raises ``InvalidEnvironment`` where there is nothing to render."""
    return render_selected(select_workload(environment, chart_name, options, release=release, project=project))


def select_workload(
    environment: Environment, chart_name: str, options: WorkloadOptions, *, release: str | None, project: str | None
) -> SelectedWorkload:
    """Raises ``InvalidEnvironment`` where no values fit."""
    plan, catalog = environment.plan, environment.catalog
    chart = bundled_chart(CHARTS, chart_name)
    digests = environment.lock.images if environment.lock is not None else {}
    software = [pod for _, pod in software_pods(plan, catalog, project)]
    options = replace(options, release=release)
    chosen = workload_values(chart, plan, catalog, options, digests, software=software)
    cluster = plan.kubernetes
    if cluster is None:
        raise LookupError(f"{chosen.group.name} was chosen in an environment without a cluster")
    helm = helm_of(cluster, catalog, environment.project.root)
    name, namespace = release or chart.name, options.namespace or default_namespace(cluster)
    return SelectedWorkload(plan, cluster, chosen, name, namespace, helm, environment.project.root, environment.catalog)


def render_selected(made: SelectedWorkload) -> PreparedWorkload:
    """Renders and checks. Raises ``InvalidEnvironment`` when helm rejects the values."""
    catalog = made.catalog
    workload = render_workload(
        made.chosen, made.cluster, made.helm, catalog, release=made.release, namespace=made.namespace
    )
    return PreparedWorkload(
        made.plan, made.cluster, workload, made.release, made.namespace, made.helm, made.catalog, made.root
    )


def install_target(prepared: PreparedWorkload, context: str, kubeconfig: Path | None) -> Target:
    """Returns the target of helm. Raises ``InvalidEnvironment`` for a context of another cluster."""
    files = [kubeconfig] if kubeconfig is not None else default_kubeconfigs()
    command = prepared.cluster.kubeconfig_command(prepared.plan.region)
    chart = prepared.workload.chosen.chart
    require_cluster_context(prepared.plan, prepared.cluster, context_cluster(files, context, command), chart.name)
    return Target(chart.folder, prepared.release, prepared.namespace, context, kubeconfig)


def require_permissions(prepared: PreparedWorkload, target: Target) -> None:
    """Asks the cluster about objects that no member of a team may create, before helm creates any.

    Raises ``InvalidEnvironment`` with those that the user of the context may not create either.
    """
    unsure = list(not_allowed(prepared.workload.objects, prepared.cluster, prepared.namespace))
    if not unsure:
        return
    kubectl = Kubectl(kubectl_of(prepared.cluster, prepared.catalog, prepared.root), target.context, target.kubeconfig)
    resources = dict.fromkeys(each.resource for each in unsure)
    refused = {each for each in resources if kubectl.may("create", each, prepared.namespace) is False}
    if refused:
        raise invalid_workload(
            *(
                refused_finding(each, prepared.workload.chosen.chart.name, prepared.namespace)
                for each in unsure
                if each.resource in refused
            )
        )
