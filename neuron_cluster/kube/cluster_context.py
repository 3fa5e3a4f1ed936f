"""Whether a context of a kubeconfig is the cluster of the environment."""

from __future__ import annotations

from pathlib import Path

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.errors import InvalidEnvironment, ToolkitError
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.kube.cluster_tools import kubectl_of
from neuron_cluster.kube.kubeconfig import ContextCluster, context_cluster, default_kubeconfigs
from neuron_cluster.kube.kubectl import Kubectl
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan

CLUSTER_OPTIONS = ("--cluster-name", "--cluster-id", "-i")
"""Options of the AWS CLI and of aws-iam-authenticator."""
ARN = "arn:"


def require_cluster_context(plan: ClusterPlan, cluster: KubernetesPlan, context: ContextCluster, chart: str) -> None:
    """Raises ``InvalidEnvironment`` unless the context names this cluster: by ARN, or by name and Region of its login.

    The AWS CLI names the cluster's entry after its ARN; other programs leave only the login to go by. ``chart`` is
    empty where the command is about none.
    """
    wanted = cluster.arn(plan.partition, plan.region, plan.account)
    if context.cluster == wanted:
        return
    name = next(filter(None, (context.login_option(option) for option in CLUSTER_OPTIONS)), None)
    region = context.login_option("--region")
    if not context.cluster.startswith(ARN) and (name, region) == (cluster.name, plan.region):
        return
    seen = f"its cluster is {context.cluster or 'not named'}"
    if name is not None:
        seen += f", and it logs in to {name} in {region or 'a Region that it does not name'}"
    message = f"context {context.context} is not the cluster of {plan.name}: {seen}; {wanted} is expected"
    hint = f"`{cluster.kubeconfig_command(plan.region)}` creates a context for it"
    location = Location(f"charts/{chart}" if chart else plan.name, path="--context")
    raise InvalidEnvironment([Finding("E9214", location, message, hint)])


def open_kubectl(plan: ClusterPlan, context: str, kubeconfig: Path | None, project: Path, catalog: Catalog) -> Kubectl:
    """Returns kubectl for the cluster of an environment, after a check of the context.

    Raises ``ToolkitError`` for an environment without a cluster, ``InvalidEnvironment`` for another's context.
    """
    cluster = require_cluster(plan)
    files = [kubeconfig] if kubeconfig is not None else default_kubeconfigs()
    found = context_cluster(files, context, cluster.kubeconfig_command(plan.region))
    require_cluster_context(plan, cluster, found, "")
    return Kubectl(kubectl_of(cluster, catalog, project), context, kubeconfig)


def require_cluster(plan: ClusterPlan) -> KubernetesPlan:
    """Returns the Kubernetes cluster. Raises ``ToolkitError`` where the environment has none."""
    if plan.kubernetes is None:
        raise ToolkitError(
            f"{plan.name} has no Kubernetes cluster", hint="`neuron-cluster list --files` lists the files"
        )
    return plan.kubernetes
