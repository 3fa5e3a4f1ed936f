"""The part of Slurm on AWS PCS that deploy, destroy and lock call."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from neuron_cluster.aws import pcs
from neuron_cluster.aws.session import Target
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.aws_access import AwsAccess
from neuron_cluster.protocol.existing import DeployedResources
from neuron_cluster.protocol.launch_role import LaunchRole
from neuron_cluster.protocol.operations import Operations
from neuron_cluster.protocol.pinned_by import PinnedBy
from neuron_cluster.protocol.status import StatusQuery, StatusSection
from neuron_cluster.providers.pcs.changes.resource_kinds import CLUSTER
from neuron_cluster.providers.pcs.existing import ExistingSlurm, read_existing
from neuron_cluster.providers.pcs.image.builder import SlurmImageBuilder
from neuron_cluster.providers.pcs.login_nodes import login_name
from neuron_cluster.providers.pcs.login_starts import read_login_nodes, start_findings
from neuron_cluster.providers.pcs.pinned_ami import pinned_ami_findings
from neuron_cluster.providers.pcs.plan.slurm_plan import SlurmPlan
from neuron_cluster.providers.pcs.stacks import CONTROLLER, NODES
from neuron_cluster.providers.pcs.status import slurm_status

PCS = LaunchRole("AWS PCS", "AWSServiceRoleForPCS", "pcs.amazonaws.com")


class SlurmOperations(Operations):
    interface_owners = {CONTROLLER.stack_key: CLUSTER}  # noqa: RUF012 - read only
    instance_tags = ("aws:pcs:",)
    image_builder = SlurmImageBuilder()
    group_permissions = ("pcs:GetCluster", "pcs:ListComputeNodeGroups", "pcs:GetComputeNodeGroup")

    def launch_role(self, plan: ClusterPlan) -> LaunchRole | None:
        """Source: https://docs.aws.amazon.com/pcs/latest/userguide/security-key-policy-for-encrypted-volumes.html."""
        return PCS if plan.provider(SlurmPlan) is not None else None

    def existing(self, target: Target, resources: DeployedResources) -> ExistingSlurm:
        return read_existing(target, resources)

    def status(self, query: StatusQuery) -> Sequence[StatusSection]:
        return slurm_status(query)

    def start_findings(self, access: AwsAccess, environment: str, stacks: Collection[str]) -> Iterator[Finding]:
        if f"{environment}-{NODES.stack_key}" in stacks:
            name = login_name(environment)
            yield from start_findings(name, read_login_nodes(access.target, name), access)

    def deployed_groups(self, target: Target, plan: ClusterPlan) -> frozenset[str]:
        planned = plan.provider(SlurmPlan)
        cluster = pcs.cluster(target, planned.name) if planned is not None else None
        if planned is None or cluster is None:
            return frozenset()
        deployed = {group.name for group in pcs.groups(target, cluster.id).values()}
        return frozenset(group.name for group in planned.compute_groups if group.physical_name in deployed)

    def pinned_image_findings(self, plan: ClusterPlan, access: AwsAccess, pinned_by: PinnedBy) -> Iterator[Finding]:
        slurm = plan.provider(SlurmPlan)
        if slurm is not None:
            yield from pinned_ami_findings(plan, slurm, access, pinned_by)
