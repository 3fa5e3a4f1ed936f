"""Plans whose Neuron groups are of SageMaker HyperPod, before a provider of such groups builds them."""

from __future__ import annotations

from msgspec.structs import replace

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.schedulers.kubernetes.software.chart_set import software_set
from neuron_cluster.schedulers.kubernetes.software.component_context import ComponentContext
from neuron_cluster.schedulers.kubernetes.software.hyperpod_nodes import HYPERPOD
from neuron_cluster.schedulers.kubernetes.software.image_source import ImageSource

DEVICE_PLUGINS = ("neuron_device_plugin", "efa_device_plugin")


def of_hyperpod(group: NodeGroupPlan, instance_type: str = "ml.trn1.32xlarge") -> NodeGroupPlan:
    """The group as SageMaker runs it; groups without Neuron devices stay those of EKS."""
    if not group.machine.is_neuron:
        return group
    return replace(
        group,
        image=replace(group.image, family=HYPERPOD),
        machine=replace(group.machine, instance_type=instance_type),
    )


def with_hyperpod(plan: ClusterPlan) -> ClusterPlan:
    """The plan with HyperPod groups and the charts that they need."""
    cluster = plan.kubernetes
    if cluster is None:
        raise TypeError(f"{plan.name} has no cluster")
    groups = tuple(of_hyperpod(group) for group in cluster.node_groups)
    context = ComponentContext(
        addons_path=("eks", "addons"),
        cluster=plan.name,
        region=plan.region,
        account=plan.account,
        kubernetes_version=cluster.version,
        node_groups=groups,
        enabled=DEVICE_PLUGINS,
        catalog=load_catalog(),
        chart_values={},
        neuron_sdk="2.32.0",
        images=ImageSource(cluster.image_cache, plan.network.has_internet),
    )
    charts = software_set(context).charts
    others = tuple(each for each in plan.providers if each is not cluster)
    return replace(plan, providers=(replace(cluster, node_groups=groups, charts=charts), *others))
