"""The base of template rules: one file and one class for what a service rejects or this toolkit forbids.

A rule uses CloudFormation's property names and imports neither the plan nor CDK. Rules are discovered in this package;
there is no list to extend. ``tests/fixtures/template_rules/<id>.yaml`` has the templates that violate each rule, and
the edits that its hint requests.
"""

from __future__ import annotations

import abc
import enum
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec import UNSET, Struct, UnsetType

from neuron_cluster.findings.needs import needed
from neuron_cluster.findings.references import CitesReferences
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class Violation(Struct, frozen=True):
    """A violation that a rule found. ``template_rules.run`` adds the rule's id and the location."""

    path: str
    """Property path inside the resource: ``LaunchTemplateData.NetworkInterfaces[1].InterfaceType``."""
    message: str
    """The value in the template, and the allowed values."""
    hint: str
    """The value to write or remove; a test applies exactly this."""
    service_words: str = ""
    """The service's error message; empty where only the error code is known."""


Violations = Iterator[Violation]


class Needs(enum.Enum):
    """The subject of a rule."""

    RESOURCE = "a resource"
    TEMPLATE = "a template"


class TemplateContext(Struct, frozen=True, kw_only=True):
    """The input of a rule: ``resource`` and ``look_up``, or ``template``. The others raise ``UndeclaredNeed``."""

    catalog: Catalog
    given_resource: TemplateResource | UnsetType = UNSET
    given_look_up: LookUp | UnsetType = UNSET
    given_template: Mapping[str, Any] | UnsetType = UNSET

    @property
    def resource(self) -> TemplateResource:
        """The resource to check."""
        return needed(self.given_resource, Needs.RESOURCE)

    @property
    def look_up(self) -> LookUp:
        """All templates of the environment."""
        return needed(self.given_look_up, Needs.RESOURCE)

    @property
    def template(self) -> Mapping[str, Any]:
        """The template to check."""
        return needed(self.given_template, Needs.TEMPLATE)


class Verdict(enum.Enum):
    """The reaction of AWS to a template that violates the rule."""

    REJECTED = "the operation returns the error code"
    FAILS_LATER = "AWS accepts it, and the resource never becomes healthy; the error code is that of the health issue"
    TOOLKIT_RULE = "AWS accepts it; this toolkit does not"


class TemplateRule(CitesReferences, abc.ABC):
    """Base of all rules over templates."""

    id: ClassVar[str]
    """``E8``, or ``W8`` for a warning, the service (0 AWS Backup, 1 EC2, 2 EKS, 3 FSx, 4 S3, 5 KMS, 6 IAM,
    7 CloudFormation, 90 ECR, 91 to 93 SageMaker, 95 to 97 AWS PCS), a number. E88 are rules over Kubernetes objects."""
    needs: ClassVar[Needs] = Needs.RESOURCE
    types: ClassVar[tuple[str, ...]] = ()
    """CloudFormation types that a rule over resources checks; empty for every type."""
    operation: ClassVar[str]
    """API operation that rejects the template, ``ec2:RunInstances``."""
    error_code: ClassVar[str | None]
    """The service's error code, as documented or reported; None where AWS accepts the template."""
    source: ClassVar[str]
    """The documentation of the fact behind the rule."""
    fails_later: ClassVar[bool] = False
    """Whether the operation accepts the template, and the created resource then reports a health issue."""

    @property
    def verdict(self) -> Verdict:
        """The reaction of AWS; the local AWS rejects only templates of ``REJECTED``."""
        if self.error_code is None:
            return Verdict.TOOLKIT_RULE
        return Verdict.FAILS_LATER if self.fails_later else Verdict.REJECTED

    @abc.abstractmethod
    def check(self, context: TemplateContext) -> Violations: ...
