"""The software stack: add-ons that need nodes, charts, and objects of ours, in an order that works."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import aws_cdk as cdk
from aws_cdk import aws_eks_v2 as eks
from constructs import Construct, IDependable

from neuron_cluster.plan.addon_plan import ManifestPlan, NamespacePlan, PatchPlan
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.core_stacks import NETWORK, STORAGE
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.providers.eks.stacks import CLUSTER, SOFTWARE
from stacks.eks.chart_release import chart_release
from stacks.eks.cluster import ClusterStack
from stacks.eks.managed_addon import ManagedAddon
from stacks.eks.placeholders import Placeholders
from stacks.eks.service_timeout import bound_service_timeout
from stacks.eks.workload_namespace import workload_namespace
from stacks.eks.workload_role import workload_role
from stacks.environment_stack import EnvironmentStack
from stacks.network import NetworkStack
from stacks.stack_context import StackContext, planned
from stacks.storage import StorageStack


def build(context: StackContext) -> SoftwareStack:
    plan = context.plan
    return SoftwareStack(
        context.scope,
        plan,
        planned(plan.kubernetes),
        context.stack(CLUSTER, ClusterStack),
        context.stack(NETWORK, NetworkStack),
        context.stack_if_planned(STORAGE, StorageStack),
    )


class SoftwareStack(EnvironmentStack):
    """Comes after the system nodes: coredns without a node stays degraded until it times out."""

    def __init__(
        self,
        scope: Construct,
        plan: ClusterPlan,
        eks_plan: KubernetesPlan,
        cluster: ClusterStack,
        network: NetworkStack,
        storage: StorageStack | None,
    ) -> None:
        super().__init__(scope, SOFTWARE.stack_key, plan)
        self._cluster = cluster.icluster
        self._parts: dict[str, IDependable] = {}
        self._namespaces: dict[str, eks.KubernetesManifest] = {}
        jobs_in = {
            each.name: workload_namespace(self, each, cluster=self._cluster)
            for each in eks_plan.namespaces
            if not each.is_governed
        }
        arn = eks_plan.arn(plan.partition, plan.region, plan.account)
        placeholders = placeholders_of(plan.partition, arn, network, storage)
        for addon in eks_plan.addons:
            if not addon.before_nodes:
                self._parts[addon.name] = ManagedAddon(self, addon, placeholders, cluster_name=cluster.name)
        for role in eks_plan.workload_roles:
            workload_role(self, role, placeholders, cluster_name=cluster.name)
        for chart in eks_plan.charts:
            release = chart_release(self, chart, placeholders, cluster=self._cluster, cluster_name=cluster.name)
            first = [self._namespace(each, stays=chart.stays) for each in chart.namespaces]
            _after(release, [*first, *self._named(chart.needs)])
            self._parts[chart.release] = release
        software = tuple(self._parts.values())
        for manifest in eks_plan.manifests:
            if eks_plan.is_in_governed_namespace(manifest):
                continue
            named = dict.fromkeys(each["metadata"].get("namespace") for each in manifest.objects)
            homes = [jobs_in[name] for name in named if name in jobs_in]
            made = self._objects(manifest, placeholders)
            _after(made, [*homes, *self._named(manifest.needs), *(software if manifest.comes_last else ())])
            self._parts[manifest.name] = made
        for patch in eks_plan.patches:
            _after(self._patch(patch), self._named(patch.needs))

    def _named(self, needs: Iterable[str]) -> list[IDependable]:
        return [self._parts[need] for need in needs]

    def _objects(self, plan: ManifestPlan, placeholders: Placeholders) -> eks.KubernetesManifest:
        made = eks.KubernetesManifest(
            self,
            plan.name,
            cluster=self._cluster,
            manifest=[placeholders.in_values(each) for each in plan.objects],
            overwrite=True,
            prune=False if plan.is_kept else None,
            removal_policy=cdk.RemovalPolicy.RETAIN if plan.is_kept else None,
        )
        bound_service_timeout(made)
        return made

    def _patch(self, plan: PatchPlan) -> eks.KubernetesPatch:
        made = eks.KubernetesPatch(
            self,
            plan.name,
            cluster=self._cluster,
            resource_name=plan.resource,
            patch_type=eks.PatchType.MERGE,
            apply_patch=plan.applied,
            restore_patch=plan.before_deletion,
        )
        bound_service_timeout(made)
        return made

    def _namespace(self, plan: NamespacePlan, *, stays: bool) -> eks.KubernetesManifest:
        """Before the chart: helm makes neither the namespaces of its objects, nor one with a Pod Security level."""
        if plan.name not in self._namespaces:
            metadata = {"name": plan.name, "labels": dict(plan.labels)}
            made = eks.KubernetesManifest(
                self,
                f"Namespace {plan.name}",
                cluster=self._cluster,
                manifest=[{"apiVersion": "v1", "kind": "Namespace", "metadata": metadata}],
                overwrite=True,
            )
            custom = bound_service_timeout(made)
            if stays:
                custom.apply_removal_policy(cdk.RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE)
            self._namespaces[plan.name] = made
        return self._namespaces[plan.name]


def placeholders_of(partition: str, arn: str, network: NetworkStack, storage: StorageStack | None) -> Placeholders:
    if storage is None:
        return Placeholders(partition, cluster_arn=arn, vpc_id=network.vpc_id)
    return Placeholders(
        partition,
        cluster_arn=arn,
        vpc_id=network.vpc_id,
        bucket_arn=storage.bucket_arn,
        key_arn=storage.key_arn if storage.bucket_arn or storage.express_arn else None,
        bucket_key_arn=storage.bucket_key_arn if storage.bucket_arn else None,
        express_arn=storage.express_arn,
        lustre=storage.lustre_names,
        efs=storage.efs,
        s3_files=storage.s3_files,
    )


def _after(construct: Construct, needs: Sequence[IDependable]) -> None:
    if needs:
        construct.node.add_dependency(*needs)
