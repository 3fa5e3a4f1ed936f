"""What a rule is: one file, one class, one thing that a service refuses or this toolkit does not allow.

A rule uses CloudFormation's property names and knows neither plan nor CDK. Rules are discovered by their place in this
folder; nothing registers them. ``tests/fixtures/template_rules/<id>.yaml`` holds the templates that violate each one,
and the edits that its hint asks for.
"""

from __future__ import annotations

import abc
import enum
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec import Struct

from neuron_cluster.findings.references import CitesReferences
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class Violation(Struct, frozen=True):
    """What a rule found. ``template_rules.run`` adds the rule's id and the place."""

    path: str
    """Property path inside the resource: ``LaunchTemplateData.NetworkInterfaces[1].InterfaceType``."""
    message: str
    """What the template says and what is allowed."""
    hint: str
    """What to write or remove; a test follows it to the letter."""
    service_words: str = ""
    """The service's own sentence, where it is known; empty where only the error code is."""


class Verdict(enum.Enum):
    """What AWS does with what a rule catches."""

    REFUSED = "the operation answers with the error code"
    FAILS_LATER = "accepted, but never whole; the error code is that of the health issue"
    HOUSE_RULE = "accepted by AWS; not by this toolkit"


class TemplateRule(CitesReferences, abc.ABC):
    """Common to all rules."""

    id: ClassVar[str]
    """``E8``, the service (1 EC2, 2 EKS, 3 FSx, 4 S3, 5 KMS, 6 IAM, 7 CloudFormation, 9 ECR), a number. E88 are rules
    over Kubernetes objects."""
    operation: ClassVar[str]
    """API operation that would refuse, ``ec2:RunInstances``."""
    error_code: ClassVar[str | None]
    """The service's error code, as documented or reported; None where AWS accepts what this toolkit does not."""
    source: ClassVar[str]
    """Where the fact behind the rule can be read."""
    fails_later: ClassVar[bool] = False
    """Whether the operation accepts it, and what it made is found unhealthy afterwards."""

    @property
    def verdict(self) -> Verdict:
        """What AWS does; the local AWS refuses what is ``REFUSED`` and nothing else."""
        if self.error_code is None:
            return Verdict.HOUSE_RULE
        return Verdict.FAILS_LATER if self.fails_later else Verdict.REFUSED


class ResourceRule(TemplateRule):
    """Judges one resource."""

    types: ClassVar[tuple[str, ...]]
    """CloudFormation types that it judges; empty for every type."""

    @abc.abstractmethod
    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]: ...


class WholeTemplateRule(TemplateRule):
    """Judges a template as a whole."""

    @abc.abstractmethod
    def check(self, template: Mapping[str, Any], catalog: Catalog) -> Iterator[Violation]: ...
