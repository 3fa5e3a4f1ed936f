"""Whether CDK has been set up in the account and Region, under the qualifier that the app expects."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.aws.errors import AwsApiError
from neuron_cluster.aws.ssm import parameters_below
from neuron_cluster.deploy.bootstrap import (
    DEFAULT_QUALIFIER,
    PARAMETERS,
    QUALIFIER_KEY,
    is_bootstrapped,
    version_parameter,
)
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.findings.finding import Finding
from neuron_cluster.findings.text import listed

WHAT = "the bootstrap of CDK"
PERMISSIONS = ("ssm:GetParameter",)
WITHOUT_APP = '--app "" '
"""Without it the CDK command runs the app of cdk.json first, which needs a name, and often a lock or an AMI."""


def subjects(context: PreflightContext) -> list[str]:
    """Returns the parameter that a bootstrap writes."""
    return [f"{version_parameter(context.qualifier)} in {context.destination.region}"]


def check(context: PreflightContext) -> Iterator[Finding]:
    """E9503 where it has not; the hint names other qualifiers that it has been set up under."""
    plan, destination, qualifier = context.plan, context.destination, context.qualifier
    if is_bootstrapped(destination, qualifier):
        return
    own = f"--qualifier {qualifier} --toolkit-stack-name CDKToolkit-{qualifier} "
    options = WITHOUT_APP + (own if qualifier != DEFAULT_QUALIFIER else "")
    command = f"cdk bootstrap {options}aws://{plan.account}/{plan.region}"
    message = (
        f"account {plan.account} is not set up for CDK in {plan.region}: {version_parameter(qualifier)} is missing"
    )
    others = _qualifiers(context)
    hint = f"once, with administrator rights: `{command}`"
    if others:
        hint += f'; or use {listed(others)}, which is there: "{QUALIFIER_KEY}" in the context of cdk.json'
    yield Finding("E9503", context.locate(("region",)), message, hint)


def _qualifiers(context: PreflightContext) -> list[str]:
    """Returns the qualifiers of bootstraps in the Region; none where the caller may not list parameters."""
    try:
        names = parameters_below(context.destination.target, PARAMETERS)
    except AwsApiError:
        return []
    return sorted(name.split("/")[2] for name in names if name.endswith("/version"))
