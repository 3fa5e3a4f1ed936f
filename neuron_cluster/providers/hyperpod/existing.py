"""Resources of an environment in SageMaker HyperPod: the cluster and its instance groups."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.aws import hyperpod
from neuron_cluster.aws.session import Target
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.aws_access import AwsAccess
from neuron_cluster.protocol.difference import difference
from neuron_cluster.protocol.existing import DeployedResources, ExistingProvider
from neuron_cluster.providers.hyperpod.changes.resource_kinds import CLUSTER
from neuron_cluster.providers.hyperpod.plan.hyperpod_plan import HyperPodPlan
from neuron_cluster.table import Table

IN_SERVICE = "InService"


class ExistingHyperPod(ExistingProvider, frozen=True, kw_only=True):
    hyperpod_clusters: tuple[hyperpod.HyperPodCluster, ...] = ()

    def tables(self) -> list[Table]:
        return [_clusters(self), _groups(self)]

    def findings(self, plan: ClusterPlan, access: AwsAccess) -> list[Finding]:
        return [*_not_in_service(self, access), *_missing_nodes(self, plan, access)]

    def differences(self, plan: ClusterPlan, access: AwsAccess) -> list[Finding]:
        return list(_other_groups(self, plan, access))


def read_existing(target: Target, resources: DeployedResources) -> ExistingHyperPod:
    """Raises ``ToolkitError`` when SageMaker does not answer."""
    found = (hyperpod.cluster(target, name) for name in resources.ids(CLUSTER))
    return ExistingHyperPod(hyperpod_clusters=tuple(cluster for cluster in found if cluster is not None))


def _clusters(existing: ExistingHyperPod) -> Table:
    rows: list[tuple[str, ...]] = []
    for cluster in existing.hyperpod_clusters:
        rows += [
            ("name", f"{cluster.name} ({cluster.status})"),
            ("ARN", cluster.arn),
            ("node recovery", cluster.recovery.lower()),
            ("provisioning", "continuous" if cluster.is_continuous else "all or none"),
        ]
    return Table("HyperPod cluster", ("what", "value"), tuple(rows))


def _groups(existing: ExistingHyperPod) -> Table:
    rows = tuple(
        (group.name, group.status, group.instance_type, f"{group.current} of {group.target}", group.release or "-")
        for cluster in existing.hyperpod_clusters
        for group in cluster.groups
    )
    return Table("Instance groups", ("group", "status", "instance type", "nodes", "AMI release"), rows)


def _not_in_service(existing: ExistingHyperPod, access: AwsAccess) -> Iterator[Finding]:
    for cluster in existing.hyperpod_clusters:
        groups = [] if cluster.failure else cluster.groups  # what fails the cluster is the reason of each group
        for name, status in [(cluster.name, cluster.status), *((group.name, group.status) for group in groups)]:
            if status != IN_SERVICE:
                reason = f": {cluster.failure}" if cluster.failure else ""
                command = access.aws_command("sagemaker list-cluster-events", cluster_name=cluster.name)
                hint = f"`{command}` shows the reason; correct it and deploy again"
                yield Finding("E9589", Location(name), f"{name} is {status} in HyperPod{reason}", hint)


def _missing_nodes(existing: ExistingHyperPod, plan: ClusterPlan, access: AwsAccess) -> Iterator[Finding]:
    """Continuous provisioning is in service before it has the nodes."""
    section = plan.provider(HyperPodPlan)
    planned = {group.physical_name: group for group in section.instance_groups} if section is not None else {}
    for cluster in existing.hyperpod_clusters:
        for group in cluster.groups:
            wanted = planned.get(group.name)
            if wanted is None or group.status != IN_SERVICE or group.current >= wanted.desired:
                continue
            command = access.aws_command("sagemaker list-cluster-events", cluster_name=cluster.name)
            message = f"HyperPod has {group.current} of {wanted.desired} nodes of {wanted.name}"
            hint = f"it goes on to look for them: `{command}` shows why they are missing"
            yield Finding("W9586", Location(wanted.name), message, hint)


def _other_groups(existing: ExistingHyperPod, plan: ClusterPlan, access: AwsAccess) -> Iterator[Finding]:
    section = plan.provider(HyperPodPlan)
    planned = {group.physical_name: group for group in section.instance_groups} if section is not None else {}
    for cluster in existing.hyperpod_clusters:
        command = access.aws_command("sagemaker describe-cluster", cluster_name=cluster.name)
        for group in cluster.groups:
            wanted = planned.get(group.name)
            if wanted is None:
                hint = f"its instances are billed, and `cost` leaves them out: `{command}` shows it"
                yield difference(group.name, "the instance group", f"{group.target} nodes", "no such group", hint)
            elif group.target != wanted.desired:
                hint = f"`{command}` shows it; a deploy with another number of the file sets it again"
                yield difference(
                    group.name, "the instance group", f"{group.target} nodes", f"{wanted.desired} nodes", hint
                )
