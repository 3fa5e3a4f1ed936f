"""The resources on which the preflight simulates an action: those that the toolkit names in its calls."""

from __future__ import annotations

from neuron_cluster.deploy.bootstrap import DEFAULT_QUALIFIER, version_parameter
from neuron_cluster.deploy.preflight import existing_storage, replication_target
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.plan.core_stacks import NETWORK
from neuron_cluster.protocol.registry import registered_operations

ALL = ("*",)
"""The resource of actions whose resources are not known before the call, or that IAM decides for all resources."""
OF_ONE_STACK = ("cloudformation:ListStackResources", "cloudformation:GetTemplate")


def resources_of(action: str, context: PreflightContext) -> tuple[str, ...]:
    """ARNs of the resources; ``*`` where the environment names none."""
    plan = context.plan
    service = action.partition(":")[0]
    here = f"{plan.region}:{plan.account}"
    if action == "ssm:GetParameter":
        parameter = version_parameter(context.qualifier or DEFAULT_QUALIFIER)
        return (f"arn:{plan.partition}:ssm:{here}:parameter{parameter}",)
    if action in OF_ONE_STACK:
        return (f"arn:{plan.partition}:cloudformation:{here}:stack/{plan.stack_name(NETWORK.stack_key)}/*",)
    if action in ("iam:GetRole", "iam:GetUser"):
        return _principals(action.removeprefix("iam:Get").lower(), context) or ALL
    if service == "s3":
        return tuple(f"arn:{plan.partition}:s3:::{bucket}" for bucket in _buckets(context)) or ALL
    of_providers = (each.permission_resources(plan).get(action) for each in registered_operations())
    return next(((arn,) for arn in of_providers if arn), ALL)


def _principals(kind: str, context: PreflightContext) -> tuple[str, ...]:
    """Users or roles of the file in its own account."""
    named = (arn for provider in context.plan.providers for _, arn in provider.principals())
    prefix = f"arn:{context.plan.partition}:iam::{context.plan.account}:{kind}/"
    return tuple(dict.fromkeys(arn for arn in named if arn.startswith(prefix)))


def _buckets(context: PreflightContext) -> list[str]:
    named = (*replication_target.subjects(context), *existing_storage.subjects(context))
    return [each for each in named if not each.startswith("arn:")]
