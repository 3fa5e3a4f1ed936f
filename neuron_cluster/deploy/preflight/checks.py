"""Whether the credentials are of the account of the file, and the file has ids of examples."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from neuron_cluster.aws.sts import caller_account
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.preflight.context import Locate, PreflightContext
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.placeholders import placeholders


def placeholder_subjects(context: PreflightContext) -> list[str]:
    """Returns what may be an id of examples; the local AWS takes them."""
    return [] if context.destination.is_local else ["account, principals and reservations of the file"]


def check_placeholders(context: PreflightContext) -> Iterator[Finding]:
    """E9502 for ids of examples."""
    yield from placeholder_findings(context.plan, context.placeholder_accounts, context.locate)


def credential_subjects(context: PreflightContext) -> list[str]:
    """Returns the account of the file; on the local AWS credentials are those of the command."""
    return [] if context.destination.is_local else [context.plan.account]


def check_credentials(context: PreflightContext) -> Iterator[Finding]:
    """E9501 for credentials of another account."""
    yield from account_findings(context.plan, context.destination, context.locate)


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
