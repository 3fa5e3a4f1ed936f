"""Teams: ``teams``, each with its access, namespaces and share of the Neuron devices."""

from typing import Annotated

from pydantic import Field

from neuron_cluster.config.allowed_image import ALLOWED_IMAGE_PATTERN, LONGEST_IMAGE
from neuron_cluster.config.budget import Budget
from neuron_cluster.config.namespace import Namespace
from neuron_cluster.config.permission_set import PERMISSION_SET_PATTERN
from neuron_cluster.config.scalars import ClosedModel, GroupName, WholeNumber

TEAM_NAME_PATTERN = r"^[a-z]([a-z0-9-]{0,38}[a-z0-9])?$"
"""At most 40 characters, as SageMaker HyperPod's task governance allows (CreateComputeQuota, ``TeamName``)."""
ROLE_PATTERN = r"^arn:aws(-[a-z]+)*:iam::[0-9]{12}:role/[A-Za-z0-9+=,.@_/-]{1,512}$"

LINE_PATTERN = r"^[^\x00-\x1f\x7f]{1,200}$"
"""One line of text."""

Devices = Annotated[WholeNumber, Field(ge=0, le=1_000_000)]


class TeamQuota(ClosedModel):
    """Neuron devices of one node group that are reserved for the jobs of a team."""

    node_group: GroupName = Field(description="Name of a Neuron node group with a queue.", examples=["trn1"])
    devices: Devices = Field(
        description="Neuron devices at count.max of the group. At a smaller count.desired the quota is the same "
        "fraction of the devices that run, rounded down.",
        examples=[32],
    )
    borrow: Devices | None = Field(
        default=None,
        description="Devices that its jobs may use beyond the quota while other teams of the queue leave them idle. "
        "0: none. Absent: no limit.",
        examples=[16],
    )
    lend: Devices | None = Field(
        default=None,
        description="Devices of the quota that jobs of other teams may use while this team leaves them idle. 0: none. "
        "Absent: all.",
        examples=[16],
    )


class Team(ClosedModel):
    """A team: who its members are, the namespaces of its workloads, and its quota in Neuron devices."""

    name: Annotated[str, Field(pattern=TEAM_NAME_PATTERN)] = Field(
        description="Name of the team, unique in the environment; also the value of the tag neuron-cluster:team.",
        examples=["research"],
    )
    members: list[Annotated[str, Field(pattern=ROLE_PATTERN)]] = Field(
        description="IAM roles of its members, by ARN with the path. They may use the namespaces of the team: jobs, "
        "pods, services, claims and secrets, neither quotas nor network policies. An empty list: none so far.",
        examples=[["arn:aws:iam::111122223333:role/research"]],
    )
    permission_sets: list[Annotated[str, Field(pattern=PERMISSION_SET_PATTERN)]] = Field(
        default=[],
        max_length=50,
        description="Permission sets of IAM Identity Center, by name. People who have one in the account are members. "
        "Identity Center creates the IAM role, whose name ends in 16 random digits; the lock pins its ARN. "
        "Absent: none.",
        examples=[["Research"]],
    )
    operators: list[Annotated[str, Field(pattern=ROLE_PATTERN)]] = Field(
        default=[],
        max_length=50,
        description="IAM roles of people who operate the namespaces of the team, by ARN with the path. They have the "
        "permissions of members, and may write network policies and service accounts, evict pods and stop the queues "
        "of the namespaces. Absent: none.",
        examples=[["arn:aws:iam::111122223333:role/research-operators"]],
    )
    namespaces: list[Namespace] = Field(
        default=[],
        max_length=20,
        description="Kubernetes namespaces of its workloads, with the keys of eks.namespaces. Each belongs to "
        "one team. Required for a Kubernetes cluster. Absent: none.",
        examples=[[{"name": "research"}]],
    )
    quota: list[TeamQuota] = Field(
        default=[],
        max_length=16,
        description="Neuron devices that are reserved for it, by node group. Absent: none; its jobs borrow what other "
        "teams leave idle.",
        examples=[[{"node_group": "trn1", "devices": 32}]],
    )
    images: list[Annotated[str, Field(pattern=ALLOWED_IMAGE_PATTERN, max_length=LONGEST_IMAGE)]] | None = Field(
        default=None,
        min_length=1,
        max_length=50,
        description="Images that pods of its namespaces may run, each with its registry: a repository with any tag and "
        "digest, a folder of repositories that ends in /, or a reference with tag or digest. Absent: any image.",
        examples=[["public.ecr.aws/neuron/", "111122223333.dkr.ecr.us-west-2.amazonaws.com/research/trainer"]],
    )
    ebs_gib: Annotated[WholeNumber, Field(ge=0, le=1_000_000)] = Field(
        default=4096,
        description="Size in GiB of all EBS volumes that PersistentVolumeClaims of one of its namespaces may create. "
        "0: none. Claims on file systems and data sets of the file do not count.",
        examples=[1024],
    )
    weight: Annotated[WholeNumber, Field(ge=0, le=100)] = Field(
        default=1,
        description="Share of idle devices relative to other teams, if several borrow at the same time (fair sharing).",
        examples=[2],
    )
    contact: Annotated[str, Field(pattern=LINE_PATTERN)] | None = Field(
        default=None,
        description="Who answers questions about the team, for the page that onboard writes: a name, an "
        "address or a channel. Absent: the page does not name anyone.",
        examples=["ml-research@example.com"],
    )
    cost_owner: Annotated[str, Field(pattern=LINE_PATTERN)] | None = Field(
        default=None,
        description="Who answers for its costs, for the same page. Absent: the page does not name anyone.",
        examples=["cost center 4711"],
    )
    budget: Budget | None = Field(
        default=None,
        description="Monthly budget in AWS Budgets, which notifies people; it stops nothing. Absent: none.",
        examples=[{"usd_month": 20_000, "notify": ["research-leads@example.com"]}],
    )
