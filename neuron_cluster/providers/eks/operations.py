"""The part of EKS that deploy, destroy and lock call."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence

from neuron_cluster.aws import eks
from neuron_cluster.aws.cloudformation import StackResource
from neuron_cluster.aws.session import Target
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.aws_access import AwsAccess
from neuron_cluster.protocol.existing import DeployedResources
from neuron_cluster.protocol.operations import AddonVersions, Operations, ProtectedResource
from neuron_cluster.protocol.pinned_by import PinnedBy
from neuron_cluster.protocol.preflight import Part, ProviderCheck
from neuron_cluster.protocol.status import StatusQuery, StatusSection
from neuron_cluster.providers.eks import principals
from neuron_cluster.providers.eks.existing import ExistingEks, read_existing
from neuron_cluster.providers.eks.pinned_releases import pinned_release_findings
from neuron_cluster.providers.eks.plan.eks_plan import EksPlan
from neuron_cluster.providers.eks.stacks import CLUSTER
from neuron_cluster.providers.eks.status import eks_status

CLUSTER_TYPE = "AWS::EKS::Cluster"
AGENT_LOGS = ("application", "dataplane", "host", "performance")
"""Groups of the CloudWatch add-on, whose agent makes them where the stack has not."""


class EksOperations(Operations):
    stacks_with_functions = (CLUSTER.stack_key,)
    interface_owners = {CLUSTER.stack_key: CLUSTER_TYPE}  # noqa: RUF012 - read only
    instance_tags = ("eks:", "aws:eks:")
    preflight_checks = (
        ProviderCheck(Part.ACCOUNT, principals.WHAT, principals.PERMISSIONS, principals.subjects, principals.check),
    )
    group_permissions = ("eks:DescribeCluster", "eks:ListNodegroups", "eks:DescribeNodegroup")
    addon_versions = AddonVersions("EKS", "eks:DescribeAddonVersions", eks.default_addon_version)

    def permission_resources(self, plan: ClusterPlan) -> Mapping[str, str]:
        prefix = f"arn:{plan.partition}:eks:{plan.region}:{plan.account}"
        cluster = f"{prefix}:cluster/{plan.name}"
        return dict(zip(self.group_permissions, (cluster, cluster, f"{prefix}:nodegroup/{plan.name}/*"), strict=True))

    def owns_group(self, tags: Mapping[str, str], environment: str) -> bool:
        """Source: https://docs.aws.amazon.com/eks/latest/userguide/sec-group-reqs.html."""
        is_owned = tags.get(f"kubernetes.io/cluster/{environment}") == "owned"
        return is_owned or tags.get("aws:eks:cluster-name") == environment

    def existing(self, target: Target, resources: DeployedResources) -> ExistingEks:
        return read_existing(target, resources)

    def status(self, query: StatusQuery) -> Sequence[StatusSection]:
        return eks_status(query)

    def deployed_groups(self, target: Target, plan: ClusterPlan) -> frozenset[str]:
        planned = plan.provider(EksPlan)
        if planned is None or eks.cluster(target, planned.name) is None:
            return frozenset()
        deployed = {group.name for group in eks.node_groups(target, planned.name)}
        return frozenset(group.name for group in planned.managed_groups if group.physical_name in deployed)

    def pinned_image_findings(self, plan: ClusterPlan, access: AwsAccess, pinned_by: PinnedBy) -> Iterator[Finding]:
        cluster = plan.provider(EksPlan)
        if cluster is not None:
            yield from pinned_release_findings(cluster, access, pinned_by)

    def protected(self, target: Target, resources: Sequence[StackResource]) -> Iterator[ProtectedResource]:
        for resource in resources:
            if resource.type == CLUSTER_TYPE and resource.physical_id:
                present = eks.cluster(target, resource.physical_id)
                if present is not None and present.is_protected:
                    description = f"deletion protection of the EKS cluster {present.name}"
                    turn_off = functools.partial(eks.turn_off_deletion_protection, name=present.name)
                    yield ProtectedResource(description, turn_off)

    def log_groups(self, environment: str) -> tuple[str, ...]:
        agent = (f"/aws/containerinsights/{environment}/{kind}" for kind in AGENT_LOGS)
        return (f"/aws/eks/{environment}/cluster", *agent)
