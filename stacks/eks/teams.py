"""The teams stack: access and limits of the namespaces of teams."""

from __future__ import annotations

from aws_cdk import aws_eks_v2 as eks
from constructs import Construct

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.providers.eks.stacks import CLUSTER, TEAMS
from stacks.eks.cluster import ClusterStack
from stacks.eks.service_timeout import bound_service_timeout
from stacks.environment_stack import EnvironmentStack
from stacks.stack_context import StackContext, planned


def build(context: StackContext) -> TeamsStack:
    plan = context.plan
    return TeamsStack(context.scope, plan, planned(plan.kubernetes), context.stack(CLUSTER, ClusterStack))


class TeamsStack(EnvironmentStack):
    """One manifest for each namespace of a team, one for fields that are rejected in all of them, and one for its
    images, each independent of every other one."""

    def __init__(self, scope: Construct, plan: ClusterPlan, kubernetes: KubernetesPlan, cluster: ClusterStack) -> None:
        super().__init__(scope, TEAMS.stack_key, plan)
        for manifest in kubernetes.team_manifests:
            made = eks.KubernetesManifest(
                self,
                manifest.name,
                cluster=cluster.icluster,
                manifest=[dict(each) for each in manifest.objects],
                overwrite=True,
            )
            bound_service_timeout(made)
