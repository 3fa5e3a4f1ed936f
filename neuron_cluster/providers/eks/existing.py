"""Resources of an environment in EKS: the cluster, its add-ons, access entries and node groups."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.aws import ec2, eks
from neuron_cluster.aws.session import Target
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.aws_access import AwsAccess
from neuron_cluster.protocol.existing import DeployedResources, ExistingProvider, NextStep
from neuron_cluster.providers.eks.differences import eks_differences
from neuron_cluster.providers.eks.existing_tables import eks_tables
from neuron_cluster.providers.eks.health import eks_findings
from neuron_cluster.providers.eks.plan.eks_plan import EksPlan
from neuron_cluster.table import Table


class ExistingNodeGroup(Struct, frozen=True):
    group: eks.DescribedNodeGroup
    template: ec2.LaunchTemplateVersion | None


class RequestedChart(Struct, frozen=True):
    """A chart that was requested of the local AWS: recorded, not installed."""

    release: str
    chart: str
    version: str
    namespace: str


class ExistingEks(ExistingProvider, frozen=True, kw_only=True):
    clusters: tuple[eks.Cluster, ...] = ()
    addons: tuple[eks.Addon, ...] = ()
    access_entries: tuple[eks.AccessEntry, ...] = ()
    foreign_principals: tuple[str, ...] = ()
    """Principals with an access entry that neither a stack nor EKS itself has made."""
    node_groups: tuple[ExistingNodeGroup, ...] = ()
    charts: tuple[RequestedChart, ...] | None = None
    """None on AWS, where the charts are in the cluster, which this command does not query."""

    def tables(self) -> list[Table]:
        return eks_tables(self)

    def findings(self, plan: ClusterPlan, access: AwsAccess) -> list[Finding]:
        return eks_findings(self, plan, access)

    def differences(self, plan: ClusterPlan, access: AwsAccess) -> list[Finding]:
        section = plan.provider(EksPlan)
        return [] if section is None else eks_differences(self, section, access, is_durable=plan.is_durable)

    def next_steps(self, plan: ClusterPlan) -> list[NextStep]:
        return [_kubeconfig_step(plan.region, cluster) for cluster in self.clusters]


def read_existing(target: Target, resources: DeployedResources) -> ExistingEks:
    """Raises ``ToolkitError`` when a service does not answer."""
    found = (eks.cluster(target, name) for name in resources.ids("AWS::EKS::Cluster"))
    clusters = tuple(cluster for cluster in found if cluster is not None)
    names = [cluster.name for cluster in clusters]
    entries = tuple(entry for name in names for entry in eks.access_entries(target, name))
    of_stacks = {physical_id.partition("|")[0] for physical_id in resources.ids("AWS::EKS::AccessEntry")}
    return ExistingEks(
        clusters=clusters,
        addons=tuple(addon for name in names for addon in eks.addons(target, name)),
        access_entries=entries,
        foreign_principals=tuple(
            each.principal for each in entries if each.is_of_people and each.principal not in of_stacks
        ),
        node_groups=tuple(_with_template(target, g) for name in names for g in eks.node_groups(target, name)),
        charts=None if resources.records is None else _charts(resources, names),
    )


def _with_template(target: Target, group: eks.DescribedNodeGroup) -> ExistingNodeGroup:
    if not group.launch_template_id:
        return ExistingNodeGroup(group, None)
    version = ec2.launch_template_version(target, group.launch_template_id, group.launch_template_version)
    return ExistingNodeGroup(group, version)


def _charts(resources: DeployedResources, cluster_names: list[str]) -> tuple[RequestedChart, ...]:
    return tuple(
        RequestedChart(row["release"], row["chart"], row.get("version") or "", row["namespace"])
        for row in resources.records or ()
        if row["kind"] == "chart" and row["cluster"] in cluster_names
    )


def _kubeconfig_step(region: str, cluster: eks.Cluster) -> NextStep:
    command = f"aws eks update-kubeconfig --region {region} --name {cluster.name}"
    where = "" if cluster.is_public else " (its API answers inside the VPC only: docs/private-endpoint.md)"
    return NextStep(f"kubectl on {cluster.name}{where}", command)
