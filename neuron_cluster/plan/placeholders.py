"""Ids in documentation and in the shipped examples: they belong to no account that deploys."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.config.source_map import KeyPath, format_path
from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.plan.cluster_plan import ClusterPlan

PLACEHOLDER_RESERVATION = "cr-0123456789abcdef0"
JUDGED = "neuron-cluster:judged"
"""CDK context: the command that runs the app checks what it deploys, or deploys to the local AWS."""


def require_no_placeholder(plan: ClusterPlan, display_name: str, catalog: Catalog) -> None:
    """Raises ``InvalidEnvironment`` with E9502; not for an example's account, for which there are no credentials."""
    accounts = catalog.placeholder_accounts.names
    if plan.account in accounts:
        return
    found = [
        Finding("E9502", Location(display_name, path=format_path(path)), message, hint)
        for path, message, hint in placeholders(plan, accounts)
    ]
    if found:
        raise InvalidEnvironment(found)


def placeholders(plan: ClusterPlan, accounts: Collection[str]) -> Iterator[tuple[KeyPath, str, str]]:
    """Where each is, what it is, and what to write; ``accounts`` are those of documentation."""
    if plan.account in accounts:
        hint = "write your account's twelve digits: `aws sts get-caller-identity --query Account`"
        yield ("account",), f"{plan.account} is a placeholder from the documentation, not an account of yours", hint
    for path, principal in (named for each in plan.providers for named in each.principals()):
        account = principal.split(":")[4]
        if account in accounts:
            message = f"{principal} is in {account}, a placeholder account from the documentation"
            yield path, message, "name a role or user of your own account"
    for group in plan.compute_groups:
        if group.machine.purchase.reservation_id == PLACEHOLDER_RESERVATION:
            message = f"{PLACEHOLDER_RESERVATION} is a placeholder, not a reservation of yours"
            yield (*group.path, "capacity", "reservation_id"), message, "write the id of your reservation"
        arn = group.machine.purchase.resource_group_arn
        if arn is not None and arn.split(":")[4] in accounts:
            message = f"{arn} is in a placeholder account from the documentation"
            yield (*group.path, "capacity", "resource_group"), message, "name a resource group of your own account"
