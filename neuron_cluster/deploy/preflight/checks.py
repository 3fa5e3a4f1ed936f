"""The findings before a deploy or a lock touches anything."""

from __future__ import annotations

from collections.abc import Callable, Collection

from neuron_cluster.aws.sts import caller_account
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.deploy.preflight.run import preflight_findings
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.placeholders import placeholders

KeyPath = tuple[str | int, ...]
Locate = Callable[[KeyPath], Location]
"""The place of a key in the environment file."""


def deploy_preflight(context: PreflightContext, placeholder_accounts: Collection[str]) -> list[Finding]:
    """Everything that stops a deploy to AWS, or may; of the local AWS what exists, and a simulated new account.

    The account is not queried while it may be another one than that of the file.
    """
    plan, destination, locate = context.plan, context.destination, context.locate
    if not destination.is_local:
        found = placeholder_findings(plan, placeholder_accounts, locate) or account_findings(plan, destination, locate)
        if found:
            return found
    return preflight_findings(context)


def account_preflight(
    plan: ClusterPlan, destination: Destination, placeholder_accounts: Collection[str], locate: Locate
) -> list[Finding]:
    """Returns findings that stop a lock, a build or a job: credentials of another account than the file's.

    On AWS also a placeholder account.
    """
    if not destination.is_local and plan.account in placeholder_accounts:
        found = placeholder_findings(plan, placeholder_accounts, locate)
        return [finding for finding in found if finding.location.path == "account"]
    return account_findings(plan, destination, locate)


def placeholder_findings(plan: ClusterPlan, accounts: Collection[str], locate: Locate) -> list[Finding]:
    """Ids of examples, which do not exist: E9502."""
    found = list(placeholders(plan, accounts))
    return [Finding("E9502", locate(path), message, hint) for path, message, hint in found]


def account_findings(plan: ClusterPlan, destination: Destination, locate: Locate) -> list[Finding]:
    """E9501 when the credentials belong to another account. Raises ``ToolkitError`` when AWS does not answer."""
    caller = caller_account(destination.target)
    if caller == plan.account:
        return []
    message = f"the file is for account {plan.account}, your credentials are of account {caller}"
    hint = f"use credentials of {plan.account} (AWS_PROFILE, `aws sso login`), or correct `account`"
    return [Finding("E9501", locate(("account",)), message, hint)]
