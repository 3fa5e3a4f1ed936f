"""What a deploy to AWS refuses before it touches anything."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from neuron_cluster.aws.ssm import parameter
from neuron_cluster.aws.sts import caller_account
from neuron_cluster.deploy.bootstrap import DEFAULT_QUALIFIER, version_parameter
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.findings import Finding, Location
from neuron_cluster.plan.cluster_plan import ClusterPlan

PLACEHOLDER_RESERVATION = "cr-0123456789abcdef0"

KeyPath = tuple[str | int, ...]
Locate = Callable[[KeyPath], Location]
"""Where a key stands in the environment file."""


def refusals_before_deploy(
    plan: ClusterPlan,
    destination: Destination,
    placeholder_accounts: Collection[str],
    locate: Locate,
    qualifier: str = DEFAULT_QUALIFIER,
) -> list[Finding]:
    """Everything that stops a deploy to AWS; nothing for the local AWS. Asks AWS only about what is no placeholder."""
    if destination.is_local:
        return []
    return (
        placeholder_findings(plan, placeholder_accounts, locate)
        or account_findings(plan, destination, locate)
        or bootstrap_findings(plan, destination, locate, qualifier)
    )


def refusals_before_lock(
    plan: ClusterPlan, destination: Destination, placeholder_accounts: Collection[str], locate: Locate
) -> list[Finding]:
    """What stops a lock: a placeholder account (on AWS), and credentials of another account than the file's."""
    if not destination.is_local and plan.account in placeholder_accounts:
        found = placeholder_findings(plan, placeholder_accounts, locate)
        return [finding for finding in found if finding.location.path == "account"]
    return account_findings(plan, destination, locate)


def placeholder_findings(plan: ClusterPlan, accounts: Collection[str], locate: Locate) -> list[Finding]:
    """Ids that stand in examples and belong to nobody: E9502."""
    found = list(_placeholders(plan, accounts))
    return [Finding("E9502", locate(path), message, hint) for path, message, hint in found]


def account_findings(plan: ClusterPlan, destination: Destination, locate: Locate) -> list[Finding]:
    """E9501 when the credentials belong to another account. Raises ``ToolkitError`` when AWS does not answer."""
    caller = caller_account(destination.target)
    if caller == plan.account:
        return []
    message = f"the file is for account {plan.account}, your credentials are of account {caller}"
    hint = f"use credentials of {plan.account} (AWS_PROFILE, `aws sso login`), or correct `account`"
    return [Finding("E9501", locate(("account",)), message, hint)]


def is_bootstrapped(destination: Destination, qualifier: str = DEFAULT_QUALIFIER) -> bool:
    """Whether CDK has its bucket and roles in this account and Region."""
    return parameter(destination.target, version_parameter(qualifier)) is not None


def bootstrap_findings(
    plan: ClusterPlan, destination: Destination, locate: Locate, qualifier: str = DEFAULT_QUALIFIER
) -> list[Finding]:
    """E9503 when CDK has not been set up in this account and Region."""
    if is_bootstrapped(destination, qualifier):
        return []
    missing = version_parameter(qualifier)
    message = f"account {plan.account} is not set up for CDK in {plan.region}: {missing} is missing"
    own = f"--qualifier {qualifier} " if qualifier != DEFAULT_QUALIFIER else ""
    hint = f"once, with administrator rights: `cdk bootstrap {own}aws://{plan.account}/{plan.region}`"
    return [Finding("E9503", locate(("region",)), message, hint)]


def _placeholders(plan: ClusterPlan, accounts: Collection[str]) -> Iterator[tuple[KeyPath, str, str]]:
    if plan.account in accounts:
        hint = "write your account's twelve digits: `aws sts get-caller-identity --query Account`"
        yield ("account",), f"{plan.account} is a placeholder from the documentation, not an account of yours", hint
    if plan.eks is None:
        return
    for kind, principals in (("admins", plan.eks.admins), ("viewers", plan.eks.viewers)):
        for position, principal in enumerate(principals):
            account = principal.split(":")[4]
            if account in accounts:
                message = f"{principal} is in {account}, a placeholder account from the documentation"
                yield ("eks", "access", kind, position), message, "name a role or user of your own account"
    for group in plan.eks.node_groups:
        if group.machine.market.reservation_id == PLACEHOLDER_RESERVATION:
            message = f"{PLACEHOLDER_RESERVATION} is a placeholder, not a reservation of yours"
            yield (*group.path, "capacity", "reservation_id"), message, "write the id of your reservation"
        arn = group.machine.market.resource_group_arn
        if arn is not None and arn.split(":")[4] in accounts:
            message = f"{arn} is in a placeholder account from the documentation"
            yield (*group.path, "capacity", "resource_group"), message, "name a resource group of your own account"
