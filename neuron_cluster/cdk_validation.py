"""CDK's validation of templates, for those that no record names: it takes as long as the rest of a synthesis.

The plug-in has the name of CDK's own and calls it: acknowledgements, the report and the exit status stay those of CDK.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import aws_cdk as cdk
import jsii

from neuron_cluster.validated_templates import record_of_user, record_validated, template_digest, validated_digests

CDK = "aws-cdk-lib"
SWITCH = "CDK_VALIDATION"
"""The environment variable of CDK that switches its validation off with the value ``false``."""

WITHOUT_TRACES = {"aws:cdk:disable-creation-stack-traces": True, "aws:cdk:disable-stack-trace": True}
"""Context of CDK: for code in Python a trace has no line of that code (ADR 11)."""


def new_app(record: Path | None = None, **properties: Any) -> cdk.App:
    """Returns an app whose templates CDK validates, except those that the record (default: the user's) names.

    ``properties`` are those of ``cdk.App``.
    """
    context = {**WITHOUT_TRACES, **properties.pop("context", {})}
    app = cdk.App(analytics_reporting=False, builtin_cloud_formation_validation=False, context=context, **properties)
    if os.environ.get(SWITCH) != "false":
        cdk.Validations.of(app).add_plugins(UnrecordedTemplates(record or record_of_user()))
    return app


@functools.cache
def validator() -> cdk.CloudFormationValidatePlugin:
    """Returns CDK's plug-in. It takes two seconds to start and 400 MiB that CDK does not free: once in a process."""
    return cdk.CloudFormationValidatePlugin()


@functools.cache
def cdk_release() -> str:
    """Returns the release of CDK, which contains that of the validation."""
    import importlib.metadata  # only where CDK validates

    return importlib.metadata.version(CDK)


@jsii.implements(cdk.IPolicyValidationContext)
class PartOfApp:
    """Some of the templates that CDK gives a plug-in."""

    def __init__(self, whole: cdk.IPolicyValidationContext, stacks: Sequence[cdk.PolicyValidationStack]) -> None:
        self._whole = whole
        self._stacks = [*stacks]

    @property
    @jsii.member(jsii_name="appConstruct")
    def app_construct(self) -> Any:
        return self._whole.app_construct

    @property
    @jsii.member(jsii_name="stackTemplates")
    def stack_templates(self) -> list[cdk.PolicyValidationStack]:
        return self._stacks

    @property
    @jsii.member(jsii_name="templatePaths")
    def template_paths(self) -> list[str]:
        return [stack.template_path for stack in self._stacks]

    @property
    @jsii.member(jsii_name="accountId")
    def account_id(self) -> str | None:
        return self._whole.account_id

    @property
    @jsii.member(jsii_name="region")
    def region(self) -> str | None:
        return self._whole.region


@jsii.implements(cdk.IPolicyValidationPlugin)
class UnrecordedTemplates:
    """Has CDK validate the templates that the record does not name, and records those without a violation."""

    def __init__(self, record: Path) -> None:
        self._record = record
        self._has_validated = False

    @property
    @jsii.member(jsii_name="name")
    def name(self) -> str:
        return cdk.CloudFormationValidatePlugin.PLUGIN_NAME

    @property
    @jsii.member(jsii_name="version")
    def version(self) -> str | None:
        return validator().version if self._has_validated else None

    @property
    @jsii.member(jsii_name="ruleIds")
    def rule_ids(self) -> list[str] | None:
        return None

    @jsii.member(jsii_name="validate")
    def validate(self, context: cdk.IPolicyValidationContext) -> cdk.PolicyValidationPluginReport:
        release = cdk_release()
        known = {*validated_digests(self._record, release)}
        digests = [(stack, _digest(stack, release)) for stack in context.stack_templates]
        unknown = [(stack, digest) for stack, digest in digests if digest not in known]
        if not unknown:
            return cdk.PolicyValidationPluginReport(success=True, violations=[])
        self._has_validated = True
        report = validator().validate(PartOfApp(context, [stack for stack, _ in unknown]))
        if report.success or report.violations:
            broken = {each.template_path for violation in report.violations for each in violation.violating_resources}
            valid = [digest for stack, digest in unknown if stack.template_path not in broken]
            record_validated(self._record, release, valid)
        return report


def _digest(stack: cdk.PolicyValidationStack, release: str) -> str:
    return template_digest(release, stack.account_id, stack.region, Path(stack.template_path).read_bytes())
