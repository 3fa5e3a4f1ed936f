"""The part of a provider that deploy, destroy and lock call. It calls AWS, so that ``validate`` does not load it."""

# ruff: noqa: ARG002 - the defaults use no argument

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from msgspec import Struct

from neuron_cluster.aws.cloudformation import StackResource
from neuron_cluster.aws.session import Target
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.finding import Finding
from neuron_cluster.lock.model import Lock
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.aws_access import AwsAccess
from neuron_cluster.protocol.existing import DeployedResources, ExistingProvider
from neuron_cluster.protocol.launch_role import LaunchRole
from neuron_cluster.protocol.nodes import NodeService
from neuron_cluster.protocol.pinned_by import PinnedBy
from neuron_cluster.protocol.preflight import ProviderCheck
from neuron_cluster.protocol.status import StatusQuery, StatusSection


class ProtectedResource(Struct, frozen=True):
    """A resource that its service does not delete while its deletion protection is on."""

    description: str
    turn_off: Callable[[Target], None]
    """Turns deletion protection off. Raises ``ToolkitError`` for an API error; a second call changes nothing."""


class AddonVersions(Struct, frozen=True):
    """The source of default versions of managed add-ons, for the lock."""

    service: str
    operation: str
    """The IAM action that reads it."""
    default: Callable[[Target, str, str], str | None]
    """Returns the default version of an add-on for a Kubernetes version; None when the service has none."""


class ImageRecipe(Struct, frozen=True):
    """The AMI that a pipeline of Image Builder builds for an environment."""

    name: str
    """Name of the recipe and of the pipeline."""
    version: str
    """Changes with everything that the AMI is built from."""
    parent: str | None
    """AMI id of the image that it is built from; None where the lock pins none."""
    parent_kind: str
    instance_type: str
    """Type of the instance that builds the AMI."""
    contents: Sequence[str]
    missing: Sequence[str]
    """Software that it will not have, and why."""
    own_image: str | None = None
    """AMI id of the file (`ami_id`), from which the nodes start instead."""


class ImageBuilder:
    """The builder of the AMI of a provider's nodes, in a stack that `image build` deploys."""

    stack_key: str
    """Key of the stack with the pipeline."""
    section_key: str
    """Key of the section of the file that has the nodes."""
    lock_part: str
    """Key of the part of the lock that ``locked`` writes; its ``image_id`` is the AMI."""

    def recipe(self, plan: ClusterPlan, catalog: Catalog) -> ImageRecipe | None:
        """Returns the recipe; None where the environment has no such nodes.

        Raises ``LookupError`` with what the catalog does not have.
        """
        raise NotImplementedError

    def locked(self, lock: Lock | None, plan: ClusterPlan, image_id: str, catalog: Catalog) -> Lock:
        """Returns the lock with the built AMI; a new lock where there is none."""
        raise NotImplementedError


class Operations:
    """The deploy-time part of a provider. Every default adds nothing."""

    stacks_with_functions: tuple[str, ...] = ()
    """Stacks with Lambda functions in the VPC: `destroy` deletes them before it waits for their network interfaces."""
    interface_owners: Mapping[str, str] = {}
    """The CloudFormation type whose service holds network interfaces of its own in the VPC, by key of a stack."""
    instance_tags: tuple[str, ...] = ()
    """Prefixes of the tags that the service puts on the instances of its groups."""
    preflight_checks: tuple[ProviderCheck, ...] = ()
    group_permissions: tuple[str, ...] = ()
    """IAM actions that ``deployed_groups`` needs."""
    addon_versions: AddonVersions | None = None
    image_builder: ImageBuilder | None = None
    stack_with_jobs: str | None = None
    """Key of the stack whose roles and security groups ``unfinished_jobs`` use."""
    node_service: NodeService | None = None
    """The source of `neuron-cluster node`; None where the service neither lists nodes nor acts on them."""

    def permission_resources(self, plan: ClusterPlan) -> Mapping[str, str]:
        """Returns the ARN that each of the actions above is called on, where the plan has it."""
        return {}

    def launch_role(self, plan: ClusterPlan) -> LaunchRole | None:
        """The role that launches the instances of its groups, where it is not that of Auto Scaling."""
        return None

    def existing(self, target: Target, resources: DeployedResources) -> ExistingProvider:
        """Reads back what the stacks hold. Raises ``ToolkitError`` when a service does not answer."""
        return ExistingProvider()

    def status(self, query: StatusQuery) -> Sequence[StatusSection]:
        """Returns the state of what the provider runs; a service that does not answer is a line, not an exception."""
        return ()

    def start_findings(self, access: AwsAccess, environment: str, stacks: Collection[str]) -> Iterator[Finding]:
        """Whether nodes of a deployed environment start, read from AWS without its file. ``stacks`` are their names.

        Raises ``ToolkitError`` when AWS does not answer.
        """
        yield from ()

    def deployed_groups(self, target: Target, plan: ClusterPlan) -> frozenset[str]:
        """Names of the plan's compute groups that AWS has already, and that a deploy does not replace."""
        return frozenset()

    def pinned_image_findings(self, plan: ClusterPlan, access: AwsAccess, pinned_by: PinnedBy) -> Iterator[Finding]:
        """AMIs of its groups that the file or the lock pins, and that must not run or are old.

        Raises ``ToolkitError`` when AWS does not answer.
        """
        yield from ()

    def protected(self, target: Target, resources: Sequence[StackResource]) -> Iterator[ProtectedResource]:
        """Yields the resources of one stack whose deletion protection is on."""
        yield from ()

    def unfinished_jobs(self, access: AwsAccess, environment: str) -> Mapping[str, str]:
        """Jobs of the environment that run on machines of the service: the command of the AWS CLI that stops each.

        Raises ``ToolkitError`` when AWS does not answer.
        """
        return {}

    def owns_group(self, tags: Mapping[str, str], environment: str) -> bool:
        """Whether the service made the security group with these tags for the cluster of the environment."""
        return False

    def log_groups(self, environment: str) -> tuple[str, ...]:
        """Log groups of an environment of this name that its stacks do not delete, whether they exist or not.

        A name that ends with a slash is that of all log groups below it.
        """
        return ()
