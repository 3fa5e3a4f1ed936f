"""The catalog as one object, which functions receive as an argument and query."""

from __future__ import annotations

import functools
from datetime import date

from neuron_cluster.catalog.ami_release import BEFORE_EKS, AmiRelease, AmiReleaseTable
from neuron_cluster.catalog.ami_type import AmiType
from neuron_cluster.catalog.aws_managed_policy import AwsManagedPolicy
from neuron_cluster.catalog.chart import Chart
from neuron_cluster.catalog.checkpoint_layout import CheckpointLayout
from neuron_cluster.catalog.checkpoint_state import CheckpointState
from neuron_cluster.catalog.chip import Chip
from neuron_cluster.catalog.container import Container, ContainerTable
from neuron_cluster.catalog.controller_timing import ControllerTiming
from neuron_cluster.catalog.device_management import DeviceManagement
from neuron_cluster.catalog.dlami import Dlami
from neuron_cluster.catalog.drift_type import DriftType
from neuron_cluster.catalog.driver_conflict import DriverConflict, DriverConflictTable
from neuron_cluster.catalog.ecs_ami import EcsAmi
from neuron_cluster.catalog.eks_health_code import EksHealthCode
from neuron_cluster.catalog.eks_price import EksPrice
from neuron_cluster.catalog.eks_role import EksRole
from neuron_cluster.catalog.endpoint import EndpointService
from neuron_cluster.catalog.express_zones import ExpressZones, ExpressZonesTable
from neuron_cluster.catalog.failure_cause import FailureCause, FailureCauseTable
from neuron_cluster.catalog.framework import Framework, FrameworkTable
from neuron_cluster.catalog.helper_image import HelperImage
from neuron_cluster.catalog.hyperpod_ami import HyperPodAmi
from neuron_cluster.catalog.hyperpod_doubt import HyperPodDoubt
from neuron_cluster.catalog.hyperpod_role import HyperPodRole
from neuron_cluster.catalog.hyperpod_type import HyperPodType
from neuron_cluster.catalog.iam_service import IamService, PrincipalList, PrincipalTable
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.catalog.instance_type_table import InstanceTypeTable
from neuron_cluster.catalog.interface_layout import InterfaceLayout
from neuron_cluster.catalog.interface_owner import InterfaceOwner
from neuron_cluster.catalog.kubernetes_version import KubernetesVersion
from neuron_cluster.catalog.limit import Limit
from neuron_cluster.catalog.lustre import LustreDeploymentFacts
from neuron_cluster.catalog.lustre_client import LustreClient
from neuron_cluster.catalog.lustre_performance import LustrePerformance
from neuron_cluster.catalog.managed_addon import ManagedAddon
from neuron_cluster.catalog.manifest import Manifest
from neuron_cluster.catalog.minimum_bus_bandwidth import MinimumBusBandwidth
from neuron_cluster.catalog.model import Model, ModelTable
from neuron_cluster.catalog.model_division import ModelDivision
from neuron_cluster.catalog.model_family import ModelFamily, ModelFamilyTable
from neuron_cluster.catalog.network_topology import NetworkTopology, NetworkTopologyTable
from neuron_cluster.catalog.neuron_alarm import NeuronAlarm
from neuron_cluster.catalog.neuron_metric import NeuronMetric
from neuron_cluster.catalog.neuron_sdk import NeuronSdk
from neuron_cluster.catalog.node_allocatable import NodeAllocatable, NodeAllocatableTable
from neuron_cluster.catalog.node_failure_rate import NodeFailureRate
from neuron_cluster.catalog.node_repair import NodeRepair
from neuron_cluster.catalog.parallelcluster import ParallelClusterRelease
from neuron_cluster.catalog.pod_device_counts import PodDeviceCounts, PodDeviceCountsTable
from neuron_cluster.catalog.pod_permission import PodPermission, PodPermissionTable
from neuron_cluster.catalog.program_need import ProgramNeed
from neuron_cluster.catalog.published_code import PublishedCode
from neuron_cluster.catalog.pull_through_upstream import PullThroughUpstream, UpstreamTable
from neuron_cluster.catalog.purchase_price import PurchasePrice, PurchasePriceTable
from neuron_cluster.catalog.region import Region, RegionTable
from neuron_cluster.catalog.resource_duration import ResourceDuration
from neuron_cluster.catalog.resource_schema import BeyondSchema, PropertyPath, ResourceSchema
from neuron_cluster.catalog.resource_type_regions import ResourceTypeRegions
from neuron_cluster.catalog.s3_transfer import S3Transfer
from neuron_cluster.catalog.server_options import ServerOptions
from neuron_cluster.catalog.service_price import ServicePrice
from neuron_cluster.catalog.slurm import PcsSize, SlurmDoubt, SlurmSettings, SlurmVersion
from neuron_cluster.catalog.slurm_options import SlurmOptions
from neuron_cluster.catalog.slurm_software import SlurmSoftware, SlurmSoftwareTable
from neuron_cluster.catalog.sourced_row import SourcedRow
from neuron_cluster.catalog.startup_taint import StartupTaint
from neuron_cluster.catalog.storage_price import StoragePrice
from neuron_cluster.catalog.table import FolderTable, Table
from neuron_cluster.catalog.training_job_type import TrainingJobType
from neuron_cluster.catalog.training_memory import ActivationMemory, TrainingMemory
from neuron_cluster.catalog.training_plan_type import TrainingPlanType, TrainingPlanTypeTable
from neuron_cluster.catalog.vision_tower import VisionTower, VisionTowerTable
from neuron_cluster.catalog.vpc_cidr_restriction import CidrRestrictionTable, VpcCidrRestriction
from neuron_cluster.catalog.weight_format import WeightFormat
from neuron_cluster.catalog.workload_shape import WorkloadShape, WorkloadShapeTable, software_of


class Catalog:
    """Facts as tables. A subclass may have other rows in a table (``Table.with_rows``)."""

    __slots__ = ()

    hyperpod_types = Table("hyperpod_types.yaml", HyperPodType)
    """Types of groups of SageMaker HyperPod: ``ml.trn1.32xlarge``."""
    instance_types = InstanceTypeTable("instance_types", hyperpod_types)
    """Types of EC2. A name of HyperPod has a row too, which is not iterated."""
    chips = Table("chips.yaml", Chip)
    interface_layouts = Table("interface_layouts.yaml", InterfaceLayout)
    network_topologies = NetworkTopologyTable("network_topologies.yaml", NetworkTopology)
    pod_device_counts = PodDeviceCountsTable("pod_device_counts.yaml", PodDeviceCounts)
    node_allocatables = NodeAllocatableTable("node_allocatable.yaml", NodeAllocatable)
    node_repairs = Table("node_repair.yaml", NodeRepair)
    """The repair actions for a Neuron node, by the reason that it reports."""
    node_failure_rates = Table("node_failure_rates.yaml", NodeFailureRate)
    minimum_bus_bandwidths = Table("minimum_bus_bandwidths.yaml", MinimumBusBandwidth)
    """Minimum bus bandwidth of collectives, by instance type."""
    device_managements = Table("device_management.yaml", DeviceManagement)
    ami_types = Table("ami_types.yaml", AmiType)
    ami_releases = AmiReleaseTable("ami_releases.yaml", AmiRelease)
    """Releases of EKS AMIs, the newest first."""
    dlamis = Table("dlamis.yaml", Dlami)
    ecs_amis = Table("ecs_amis.yaml", EcsAmi)
    containers = ContainerTable("containers.yaml", Container)
    helper_images = Table("helper_images.yaml", HelperImage)
    """Small images that the toolkit's own objects run."""
    pull_through_upstreams = UpstreamTable("pull_through_upstreams.yaml", PullThroughUpstream)
    neuron_sdks = Table("neuron_sdk.yaml", NeuronSdk)
    """Releases of the Neuron SDK, the newest first."""
    frameworks = FrameworkTable("frameworks.yaml", Framework)
    driver_conflicts = DriverConflictTable("driver_conflicts.yaml", DriverConflict)
    server_options = Table("server_options.yaml", ServerOptions)
    program_needs = Table("program_needs.yaml", ProgramNeed)
    public_indexes = Table("public_indexes.yaml", SourcedRow)
    """Hosts of package indexes to which every user may upload, and of their mirrors."""
    published_code = Table("published_code.yaml", PublishedCode)
    models = ModelTable("models.yaml", Model)
    model_families = ModelFamilyTable("model_families.yaml", ModelFamily)
    model_divisions = Table("model_divisions.yaml", ModelDivision)
    vision_towers = VisionTowerTable("vision_towers.yaml", VisionTower)
    weight_formats = Table("weight_formats.yaml", WeightFormat)
    training_memories = Table("training_memories.yaml", TrainingMemory)
    """Memory of each parameter, by task: ``train`` or ``finetune``."""
    activation_memories = Table("activation_memories.yaml", ActivationMemory)
    """Memory of activations by the part that the backward pass computes again, the smallest part first."""
    checkpoint_layouts = Table("checkpoint_layouts.yaml", CheckpointLayout)
    """Files of a checkpoint, by framework."""
    checkpoint_states = Table("checkpoint_states.yaml", CheckpointState)
    """Bytes of each parameter in a checkpoint, by ``OPTIMIZER-PRECISION``."""
    kubernetes_versions = Table("kubernetes.yaml", KubernetesVersion)
    """The oldest first."""
    managed_addons = Table("addons.yaml", ManagedAddon)
    charts = FolderTable("charts", Chart, str)
    manifests = Table("manifests.yaml", Manifest)
    """Software that has no chart."""
    pod_permissions = PodPermissionTable("pod_permissions.yaml", PodPermission)
    """IAM permissions, by chart and service account."""
    workload_shapes = WorkloadShapeTable("workload_shapes", WorkloadShape, software_of)
    """DaemonSets, Deployments, ... that charts, managed add-ons and manifests create."""
    startup_taints = Table("startup_taints.yaml", StartupTaint)
    """Taints that a driver removes from a new node, by key."""
    reserved_label_domains = Table("reserved_label_domains.yaml", SourcedRow)
    """Label domains that EKS rejects on managed node groups."""
    eks_roles = Table("eks_roles.yaml", EksRole)
    """Roles of nodes and of Auto Mode."""
    controller_timings = Table("controller_timings.yaml", ControllerTiming)
    """Times of controllers and machines, which `workload rehearse` uses too."""
    start_timings = Table("start_timings.yaml", ControllerTiming)
    """Further times of the start of a workload."""
    neuron_metrics = Table("neuron_metrics.yaml", NeuronMetric)
    neuron_alarms = Table("neuron_alarms.yaml", NeuronAlarm)
    slurm_versions = Table("slurm_versions.yaml", SlurmVersion)
    """Versions of Slurm that AWS PCS runs, the oldest first."""
    slurm_settings = Table("slurm_settings.yaml", SlurmSettings)
    """Settings that AWS PCS accepts, by level: ``cluster``, ``group`` or ``queue``."""
    slurm_options = Table("slurm_options.yaml", SlurmOptions)
    """Options of programs of Slurm: of ``sbatch``."""
    slurm_software = SlurmSoftwareTable("slurm_software.yaml", SlurmSoftware)
    slurm_doubts = Table("slurm_doubts.yaml", SlurmDoubt)
    """Open questions about Neuron instances on AWS PCS."""
    pcs_sizes = Table("pcs_sizes.yaml", PcsSize)
    """Sizes of the controller, the smallest first."""
    parallelcluster_releases = Table("parallelcluster.yaml", ParallelClusterRelease)
    """Releases of AWS ParallelCluster, the newest last."""
    hyperpod_amis = Table("hyperpod_amis.yaml", HyperPodAmi)
    """Images of HyperPod nodes, by orchestrator."""
    hyperpod_kubernetes = Table("hyperpod_kubernetes.yaml", SourcedRow)
    """Kubernetes versions of HyperPod on EKS, the oldest first. A doubt about ``name``: no guide lists it."""
    hyperpod_label_domains = Table("hyperpod_label_domains.yaml", SourcedRow)
    """Domains of labels and taints that HyperPod rejects on its groups."""
    hyperpod_roles = Table("hyperpod_roles.yaml", HyperPodRole)
    training_job_types = Table("training_job_types.yaml", TrainingJobType)
    """Neuron types of SageMaker training jobs."""
    training_job_roles = Table("training_job_roles.yaml", HyperPodRole)
    hyperpod_doubts = Table("hyperpod_doubts.yaml", HyperPodDoubt)
    """Open questions about Neuron instances on HyperPod."""
    regions = RegionTable("regions.yaml", Region)
    express_zones = ExpressZonesTable("express_zones.yaml", ExpressZones)
    """Zones of S3 Express One Zone, by Region."""
    resource_type_regions = Table("resource_type_regions.yaml", ResourceTypeRegions)
    """Regions of resource types that not every Region has."""
    vpc_cidr_restrictions = CidrRestrictionTable("vpc_cidr_restrictions.yaml", VpcCidrRestriction)
    endpoint_services = Table("endpoints.yaml", EndpointService)
    interface_owners = Table("interface_owners.yaml", InterfaceOwner)
    limits = Table("limits.yaml", Limit)
    lustre_deployments = Table("lustre.yaml", LustreDeploymentFacts)
    """Capacities, tiers and versions by deployment type."""
    lustre_performances = Table("lustre_performance.yaml", LustrePerformance)
    """Throughput of the deployment types that were measured."""
    lustre_clients = Table("lustre_clients.yaml", LustreClient)
    """Clients for FSx by operating system."""
    s3_transfers = Table("s3_transfers.yaml", S3Transfer)
    """Rates without a file system, by storage class."""
    iam_services = Table("iam_actions.yaml", IamService)
    """Services whose actions are recorded, by prefix."""
    service_principals = PrincipalTable("service_principals_recorded.yaml", PrincipalList)
    aws_managed_policies = Table("aws_managed_policies.yaml", AwsManagedPolicy)
    """Policies by path and name: ``service-role/AWSLambdaBasicExecutionRole``."""
    placeholder_accounts = Table("placeholders.yaml", SourcedRow)
    """Account ids of AWS's documentation: valid in an example, never in a deploy."""
    resource_schemas = Table("create_only.yaml", ResourceSchema)
    """Schemas of the resource types that the toolkit uses."""
    drift_types = Table("drift_types.yaml", DriftType)
    """Facts that decide whether a difference between a template and a service is drift, by resource type."""
    durations = Table("durations.yaml", ResourceDuration)
    """Time that CloudFormation takes for a resource, by type."""
    failure_causes = FailureCauseTable("failure_causes.yaml", FailureCause)
    """Known causes of a failed resource of a stack, the special ones first."""
    eks_health_codes = Table("eks_health_codes.yaml", EksHealthCode)
    """Health codes of EKS in words, by kind of object and code."""
    beyond_schemas = Table("create_only_beyond_schema.yaml", BeyondSchema)
    """Create-only properties that schemas do not list, by resource type."""
    eks_prices = Table("eks_prices.yaml", EksPrice)
    """Prices of a control plane, by support."""
    storage_prices = Table("storage_prices.yaml", StoragePrice)
    service_prices = Table("service_prices.yaml", ServicePrice)
    purchase_prices = PurchasePriceTable("purchase_prices.yaml", PurchasePrice)
    """Prices on Spot and in capacity blocks."""
    training_plan_types = TrainingPlanTypeTable("training_plan_types.yaml", TrainingPlanType)
    """Types of SageMaker training plans: ``ml.trn2.48xlarge``."""

    def container_runs_on(self, image: Container, row: InstanceType) -> bool:
        """Whether the image supports the instance type: families of one chip generation (trn1, trn1n) share images."""
        chip = self.chips.get(row.chip) if row.chip is not None else None
        families = {row.family, *(chip.families if chip is not None else ())}
        return not families.isdisjoint(image.families)

    def why_impossible_release(self, release_version: str) -> str | None:
        """Why no EKS AMI can have this release version (``1.35.0-20200101``); None where one may have it."""
        patch, _, build = release_version.rpartition("-")
        try:
            day = date.fromisoformat(build)
        except ValueError:
            return f"{build} is not a day"
        minor = patch.rpartition(".")[0]
        version, release = self.kubernetes_versions.get(minor), self.ami_releases.get(release_version)
        if version is not None and day < version.released - BEFORE_EKS:
            return f"EKS offers Kubernetes {minor} since {version.released}"
        known = release.release_version(minor) if release is not None else None
        return f"the AMI of that day is {known}" if known is not None and known != release_version else None

    def create_only_properties(self, type_name: str) -> frozenset[PropertyPath]:
        """Paths whose change replaces a resource of this type; none for a type that the files do not have."""
        rows = (self.resource_schemas.get(type_name), self.beyond_schemas.get(type_name))
        return frozenset(tuple(path.split("/")) for row in rows if row is not None for path in row.create_only)


@functools.cache
def load_catalog() -> Catalog:
    """The catalog that this release ships. Reads no file yet."""
    return Catalog()
