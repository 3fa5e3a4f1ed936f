"""The environment file as a whole: what the user wrote, and nothing computed."""

import enum
import functools
from typing import Annotated, Any, Literal, TypeVar, cast

from pydantic import BeforeValidator, Field, create_model

from neuron_cluster.config.budget import Budget
from neuron_cluster.config.network import Network
from neuron_cluster.config.observability import Observability
from neuron_cluster.config.scalars import (
    ACCOUNT_PATTERN,
    REGION_PATTERN,
    ClosedModel,
    DecimalNumber,
    text_or_number,
    whole_number,
)
from neuron_cluster.config.sections import SectionSpec, sections, when_sections_change
from neuron_cluster.config.storage import Storage
from neuron_cluster.config.team import Team
from neuron_cluster.config.workstation import Workstation

SCHEMA = 1
"""The schema number that this release reads."""

NAME_PATTERN = r"^[a-z]([a-z0-9-]{0,126}[a-z0-9])?$"
SDK_PATTERN = r"^[0-9]{1,4}\.[0-9]{1,4}\.[0-9]{1,4}$"
FRAMEWORK_PATTERN = r"^[A-Za-z][A-Za-z0-9_.-]{1,63}$"
"""Package names too: rule E5018 then suggests the framework."""
CONTAINER_PATTERN = r"^([a-z0-9][a-z0-9._:-]*/)*[a-z0-9][a-z0-9._-]*:[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$"

EXTENDS = "extends"
"""The key that names the base of a file."""
EXTENDS_PATTERN = r"^[^/~\x00-\x1f\x7f\\:][^\x00-\x1f\x7f\\:]{0,250}\.ya?ml$"

Section = TypeVar("Section", bound=ClosedModel)

TAG_KEY_PATTERN = r"^[^\x00-\x1f\x7f]{1,128}$"
"""A key that `tags` may have; see rule E6003."""


class Lifecycle(enum.StrEnum):
    """How long the environment is meant to live."""

    EPHEMERAL = "ephemeral"
    DURABLE = "durable"


class Neuron(ClosedModel):
    """The Neuron software that everything else is derived from."""

    sdk: Annotated[str, Field(pattern=SDK_PATTERN)] = Field(
        description="Neuron SDK release. `neuron-cluster catalog sdk` lists them.", examples=["2.32.0"]
    )
    frameworks: list[Annotated[str, Field(pattern=FRAMEWORK_PATTERN)]] = Field(
        default=[],
        description="Frameworks that your workloads use on Neuron devices; checked against instance types, images and "
        "SDK. `neuron-cluster catalog frameworks` lists the known ones.",
        examples=[["jax"]],
    )
    containers: list[Annotated[str, Field(pattern=CONTAINER_PATTERN)]] = Field(
        default=[],
        description="Neuron Deep Learning Containers of your workloads, with repository and tag; checked against the "
        "driver of the nodes. `neuron-cluster catalog containers` lists the known ones.",
        examples=[["public.ecr.aws/neuron/jax-training-neuronx:0.10.0-neuronx-py313-sdk2.32.0-ubuntu24.04"]],
    )


class CommonConfig(ClosedModel):
    """The keys of the file before the sections of providers."""

    schema_number: Annotated[Literal[1], BeforeValidator(whole_number)] = Field(
        alias="schema", description="Format of this file.", examples=[1]
    )
    extends: Annotated[str, Field(pattern=EXTENDS_PATTERN)] | None = Field(
        default=None,
        description="Base file, as a path from the folder of this file. Mappings of both merge key by key, lists "
        "whose items have names by name; other values of this file replace those of the base, and null removes a key. "
        "Absent: none.",
        examples=["bases/train.yaml"],
    )
    name: Annotated[str, Field(pattern=NAME_PATTERN)] = Field(
        description="Name of the environment, of its file, its cluster and its stacks.", examples=["train-trn1"]
    )
    account: Annotated[str, Field(pattern=ACCOUNT_PATTERN), text_or_number(ACCOUNT_PATTERN)] = Field(
        description="AWS account id, twelve digits.", examples=["111122223333"]
    )
    region: Annotated[str, Field(pattern=REGION_PATTERN)] = Field(description="AWS Region.", examples=["us-west-2"])
    lifecycle: Lifecycle = Field(
        default=Lifecycle.DURABLE,
        description="durable: stacks that hold data have termination protection. ephemeral: they do not; `destroy` "
        "still keeps them.",
        examples=["durable"],
    )
    tags: dict[str, str] = Field(
        default={},
        description="Tags of every resource whose tags can be updated in place; not of launch templates, node groups "
        "and placement groups, which a new tag would replace. propagate_at_launch adds instances, volumes and "
        "interfaces.",
        examples=[{"cost-center": "ml-platform"}],
    )
    propagate_at_launch: list[Annotated[str, Field(pattern=TAG_KEY_PATTERN)]] = Field(
        default=[],
        max_length=50,
        description="Keys of tags that are also set at launch on the instances of node groups and workstations, their "
        "volumes and their network interfaces: for cost allocation, and for policies that require tags on "
        "ec2:RunInstances. A change of this list, or of the value of such a tag, replaces these instances.",
        examples=[["cost-center"]],
    )
    prices: dict[str, Annotated[DecimalNumber, Field(gt=0, le=1_000_000)]] = Field(
        default={},
        description="Prices of your own in USD, where the catalog has none of the Region or a contract has others: by "
        "instance type (an hour on demand; spot-TYPE: on Spot), and by row of `catalog services` and `catalog prices` "
        "(its unit). `cost`, `plan` and `report` use them; `diff` and `list` read templates, which have none.",
        examples=[{"nat-gateway": 0.062}],
    )
    neuron: Neuron = Field(description="The Neuron software.", examples=[{"sdk": "2.32.0"}])
    network: Network = Field(
        description="The network.",
        examples=[{"cidr": "10.20.0.0/16", "availability_zones": ["usw2-az4", "usw2-az1"]}],
    )
    storage: Storage | None = Field(default=None, description="Checkpoints and file systems. Absent: none.")


class EnvironmentConfig(CommonConfig):
    """One cluster environment in one account and Region.

    Sections of providers are fields of ``environment_model()``, which is a subclass.
    """

    teams: list[Team] = Field(
        default=[],
        max_length=100,
        description="Teams that share the cluster: members, namespaces and quota in Neuron devices. Absent: none.",
        examples=[
            [
                {
                    "name": "research",
                    "members": ["arn:aws:iam::111122223333:role/research"],
                    "namespaces": [{"name": "research"}],
                    "quota": [{"node_group": "trn1", "devices": 32}],
                }
            ]
        ],
    )
    budget: Budget | None = Field(
        default=None,
        description="Monthly budget of the whole environment in AWS Budgets, by the tag neuron-cluster:environment. It "
        "notifies people and stops nothing. Absent: none.",
        examples=[{"usd_month": 300_000, "notify": ["platform@example.com"]}],
    )
    workstations: list[Workstation] = Field(
        default=[],
        description="Single EC2 instances with a Neuron Deep Learning AMI, reachable through Session Manager.",
        examples=[[{"name": "alice", "instance_type": "inf2.xlarge", "dlami": "base_ubuntu_24_04"}]],
    )
    observability: Observability | None = Field(
        default=None,
        description="Dashboards and alarms for Neuron devices and EFA of the EKS cluster. Absent: none.",
        examples=[{"metrics": "cloudwatch"}],
    )

    def section(self, model: type[Section]) -> Section | None:
        """The section of a provider, by its model; None where the file does not have it."""
        return next((value for value in vars(self).values() if isinstance(value, model)), None)


DESCRIPTION = "One cluster environment in one account and Region."


@functools.cache
def environment_model() -> type[EnvironmentConfig]:
    """The model of the whole file: with the section of every registered provider."""
    # Fields of a base class come before those of its subclasses: so the sections are in front of `workstations`.
    with_sections = create_model("ConfigWithSections", __base__=CommonConfig, **dict(map(_field, sections())))
    model = create_model("EnvironmentConfig", __base__=(EnvironmentConfig, with_sections), __doc__=DESCRIPTION)
    return cast("type[EnvironmentConfig]", model)


when_sections_change(environment_model.cache_clear)


def _field(spec: SectionSpec) -> tuple[str, Any]:
    field = Field(default=None, description=spec.description, examples=list(spec.examples))
    return spec.key, (spec.model | None, field)
