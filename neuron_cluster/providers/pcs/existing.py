"""Resources of an environment in PCS: the cluster, its compute node groups and queues."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.aws import pcs
from neuron_cluster.aws.session import Target
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.aws_access import AwsAccess
from neuron_cluster.protocol.existing import DeployedResources, ExistingProvider, NextStep
from neuron_cluster.providers.pcs.changes.resource_kinds import CLUSTER
from neuron_cluster.providers.pcs.login_nodes import ALL, find_login_nodes, login_name
from neuron_cluster.providers.pcs.login_starts import LoginNode, read_login_nodes, start_findings
from neuron_cluster.providers.pcs.plan.slurm_plan import SlurmPlan
from neuron_cluster.table import Table

ACTIVE = "ACTIVE"


class ExistingSlurm(ExistingProvider, frozen=True, kw_only=True):
    slurm_clusters: tuple[pcs.PcsCluster, ...] = ()
    compute_node_groups: tuple[pcs.PcsGroup, ...] = ()
    slurm_queues: tuple[pcs.PcsQueue, ...] = ()
    login_nodes: tuple[LoginNode, ...] | None = None
    """None without a cluster, and where it is not known."""

    def tables(self) -> list[Table]:
        return [_clusters(self), _groups(self), _queues(self)]

    def findings(self, plan: ClusterPlan, access: AwsAccess) -> list[Finding]:
        slurm = plan.provider(SlurmPlan)
        inactive = list(_inactive(self, access))
        if slurm is None or inactive or not self.slurm_clusters:
            return inactive
        return list(start_findings(login_name(plan.name), self.login_nodes, access))

    def next_steps(self, plan: ClusterPlan) -> list[NextStep]:
        slurm = plan.provider(SlurmPlan)
        if slurm is None or not self.slurm_clusters:
            return []
        text = "the login nodes, which `aws ssm start-session --target` opens"
        return [NextStep(text, find_login_nodes(plan.name, plan.region, ALL))]


def read_existing(target: Target, resources: DeployedResources) -> ExistingSlurm:
    """Raises ``ToolkitError`` when PCS does not answer."""
    found = (pcs.cluster(target, arn.rpartition("/")[2]) for arn in resources.ids(CLUSTER))
    clusters = tuple(cluster for cluster in found if cluster is not None)
    groups = {cluster.id: pcs.groups(target, cluster.id) for cluster in clusters}
    return ExistingSlurm(
        slurm_clusters=clusters,
        compute_node_groups=tuple(group for of_cluster in groups.values() for group in of_cluster.values()),
        login_nodes=read_login_nodes(target, login_name(clusters[0].name)) if clusters else None,
        slurm_queues=tuple(queue for id_, known in groups.items() for queue in pcs.queues(target, id_, known)),
    )


def _clusters(existing: ExistingSlurm) -> Table:
    rows: list[tuple[str, ...]] = []
    for cluster in existing.slurm_clusters:
        rows += [
            ("name", f"{cluster.name} ({cluster.status})"),
            ("id", cluster.id),
            ("Slurm", cluster.version),
            ("size", cluster.size.lower()),
            ("accounting", cluster.accounting.lower()),
        ]
    return Table("Slurm cluster", ("what", "value"), tuple(rows))


def _groups(existing: ExistingSlurm) -> Table:
    rows = tuple(
        (
            group.name,
            group.status,
            ", ".join(group.instance_types),
            f"{group.min} / {group.max}",
            group.purchase_option,
            group.ami_id,
        )
        for group in existing.compute_node_groups
    )
    columns = ("group", "status", "instance type", "min / max", "purchase option", "AMI")
    return Table("Compute node groups", columns, rows)


def _queues(existing: ExistingSlurm) -> Table:
    rows = tuple((queue.name, queue.status, ", ".join(queue.groups)) for queue in existing.slurm_queues)
    return Table("Queues", ("queue", "status", "groups"), rows)


def _inactive(existing: ExistingSlurm, access: AwsAccess) -> Iterator[Finding]:
    parts: tuple[pcs.PcsCluster | pcs.PcsGroup | pcs.PcsQueue, ...]
    parts = (*existing.slurm_clusters, *existing.compute_node_groups, *existing.slurm_queues)
    for part in parts:
        if part.status == ACTIVE and not part.errors:
            continue
        reasons = f": {'; '.join(part.errors)}" if part.errors else ""
        command = access.aws_command("pcs list-compute-node-groups", cluster_identifier=existing.slurm_clusters[0].id)
        yield Finding(
            "E9560",
            Location(part.name),
            f"{part.name} is {part.status} in PCS{reasons}",
            f"correct what it names and deploy again; `{command}` lists the groups with their status",
        )
