"""Instance groups: ``hyperpod.groups``."""

import enum
from typing import Annotated

from pydantic import BeforeValidator, Field

from neuron_cluster.config.capacity import OnDemand
from neuron_cluster.config.machine import ServiceMachine, prefixed_instance_type
from neuron_cluster.config.sagemaker import ML_TYPE_PATTERN
from neuron_cluster.config.scalars import GROUP_NAME_PATTERN, ClosedModel, GroupName, Switch, WholeNumber, ZoneId
from neuron_cluster.config.taint import Taint
from neuron_cluster.providers.hyperpod.config.capacity import GroupCapacity

AMI_RELEASE_PATTERN = r"^[0-9]{1,5}\.[0-9]{1,5}\.[0-9]{1,5}$"
ALARM_NAME_PATTERN = r"^[!-~]([ -~]{0,253}[!-~])?$"
CRON_PATTERN = (
    r"^cron\(([0-5]?[0-9]) ([01]?[0-9]|2[0-3]) ([1-9]|0[1-9]|[12][0-9]|3[01]|\?) "
    r"([1-9]|0[1-9]|1[0-2]|\*|\*/([1-9]|1[0-2])) (MON|TUE|WED|THU|FRI|SAT|SUN|[1-7]|\?|L|[1-7]#[1-5]|[1-7]L) "
    r"(20[2-9][0-9]|\*)\)$"
)
"""ScheduleExpression of the CloudFormation schema: of day of month and day of week one is ``?``."""
NAME_PATTERN = r"^[a-z]([a-z0-9-]{0,52}[a-z0-9])?$"
"""SageMaker accepts 63 characters; nine of them separate a group from the one that replaces it."""

AlarmName = Annotated[str, Field(pattern=ALARM_NAME_PATTERN)]


class InstanceCount(ClosedModel):
    """Number of instances of a group."""

    desired: Annotated[WholeNumber, Field(ge=0, le=6_758)] = Field(
        description="Number of instances (InstanceCount). Addresses are planned for it.", examples=[4]
    )
    min: Annotated[WholeNumber, Field(ge=0, le=6_758)] = Field(
        default=0,
        description="Number below which no node is kept (MinInstanceCount): if HyperPod does not get so many within "
        "three hours, a new group goes back to 0, and another one to its previous number. Requires continuous.",
        examples=[0],
    )

    @property
    def max(self) -> int:
        """The number above which there are no instances: nothing but a deploy changes it."""
        return self.desired


class DeepHealthCheck(enum.StrEnum):
    """A deep health check of new nodes, which takes 60 to 90 minutes."""

    INSTANCE_STRESS = "instance_stress"
    INSTANCE_CONNECTIVITY = "instance_connectivity"


class ExtraVolume(ClosedModel):
    """An encrypted EBS volume of each instance, mounted at /opt/sagemaker."""

    size_gib: Annotated[WholeNumber, Field(ge=1, le=16_384)] = Field(description="Size in GiB.", examples=[500])


class SoftwareUpdates(ClosedModel):
    """When HyperPod replaces the root volumes of nodes by those of its newest AMI. It does not drain nodes."""

    schedule: Annotated[str, Field(pattern=CRON_PATTERN)] = Field(
        description="Schedule expression, in UTC.", examples=["cron(0 2 ? * SUN *)"]
    )
    batch_percent: Annotated[WholeNumber, Field(ge=1, le=100)] = Field(
        default=100, description="Largest share of the instances that are updated at once, in percent.", examples=[25]
    )
    wait_minutes: Annotated[WholeNumber, Field(ge=0, le=60)] = Field(
        default=0, description="Minutes between two batches.", examples=[10]
    )
    rollback_alarms: Annotated[list[AlarmName], Field(max_length=10)] = Field(
        default=[],
        description="Names of CloudWatch alarms of the account, in the Region of the cluster. If one of them is in "
        "alarm during an update, HyperPod gives the updated nodes their previous AMI. Default: none.",
        examples=[["training-failed"]],
    )


class InstanceGroup(ServiceMachine):
    """Instances of one type. HyperPod decides their interfaces, AMI and root volume."""

    name: Annotated[GroupName, Field(pattern=NAME_PATTERN)] = Field(
        description="Name of the group, unique in the environment; also a Kubernetes label.", examples=["trn2"]
    )
    instance_type: Annotated[str, Field(pattern=ML_TYPE_PATTERN), BeforeValidator(prefixed_instance_type("ml."))] = (
        Field(
            description="SageMaker instance type. `neuron-cluster catalog hyperpod-types` lists the known ones.",
            examples=["ml.trn2.48xlarge"],
        )
    )
    count: InstanceCount = Field(description="Number of instances.", examples=[{"desired": 4}])
    capacity: GroupCapacity = Field(
        default_factory=lambda: OnDemand(kind="on_demand"),
        description="Purchase option.",
        examples=[{"kind": "on_demand"}],
    )
    availability_zone: ZoneId | None = Field(
        default=None,
        description="Zone id: EFA traffic does not cross zones. Default: the first zone of the network.",
        examples=["use2-az3"],
    )
    deep_health_checks: list[DeepHealthCheck] = Field(
        default=[],
        description="Deep health checks of nodes when they are added or replaced. A group with checks has no taints.",
        examples=[["instance_stress", "instance_connectivity"]],
    )
    labels: dict[str, str] = Field(
        default={}, description="Additional Kubernetes labels of its nodes.", examples=[{"workload": "training"}]
    )
    taints: list[Taint] = Field(
        default=[],
        description="Additional taints. Neuron groups without deep health checks have "
        "aws.amazon.com/neuron=true:NoSchedule.",
    )
    team: Annotated[str, Field(pattern=GROUP_NAME_PATTERN)] | None = Field(
        default=None,
        description="Team of the group, for quotas and sums of the toolkit. SageMaker has no tags for the instances of "
        "a group: budgets and cost reports of AWS do not count them for the team.",
        examples=["research"],
    )
    queue: Annotated[str, Field(pattern=GROUP_NAME_PATTERN)] | None = Field(
        default=None,
        description="Kueue queue whose jobs run on its nodes; becomes the node label neuron-cluster/queue. Node groups "
        "of eks may have the same queue. With hyperpod.slurm: partition of Slurm, which each group has.",
        examples=["training"],
    )
    network_topology: Switch = Field(
        default=False,
        description="Kueue knows the place of each node in the network (topology-aware scheduling). Requires a queue, "
        "and an instance type with network topology labels.",
        examples=[True],
    )
    extra_volume: ExtraVolume | None = Field(
        default=None,
        description="EBS volume in addition to the root volume, whose size HyperPod decides. Default: none.",
        examples=[{"size_gib": 500}],
    )
    ami_release: Annotated[str, Field(pattern=AMI_RELEASE_PATTERN)] | None = Field(
        default=None,
        description="Release version of the HyperPod AMI. Another one replaces the root volumes of nodes that run, "
        "without a drain. Default: the newest one, and in a group that is added that of a group of the same "
        "architecture.",
        examples=["1.2.3"],
    )
    software_updates: SoftwareUpdates | None = Field(
        default=None,
        description="Scheduled updates to the newest AMI. Default: none.",
        examples=[{"schedule": "cron(0 2 ? * SUN *)"}],
    )
