"""Budgets of teams: created, changed in place, replaced with their notifications, and deleted with their team."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.aws.session import LocalTarget, client

pytestmark = pytest.mark.slow

TEXT = """
schema: 1
name: budgets
account: 111122223333
region: us-west-2
lifecycle: ephemeral
neuron: {sdk: 2.32.0}
network: {cidr: 10.40.0.0/16, availability_zones: [usw2-az4, usw2-az1], nat: single}
eks:
  version: "1.35"
  access: {admins: ["arn:aws:iam::111122223333:role/platform-admin"]}
  node_groups:
    - name: system
      instance_type: m7i.xlarge
      count: {min: 2, desired: 2, max: 2}
      team: product
    - name: research
      instance_type: m7i.xlarge
      count: {min: 1, desired: 1, max: 1}
      team: research
      queue: research
teams:
  - {name: product, members: [], namespaces: [{name: product}], budget: {usd_month: 5000, notify: [p@example.com]}}
"""
RESEARCH = "  - {name: research, members: [], namespaces: [{name: research}], budget: {usd_month: %d, notify: [%s]}}\n"
ACCOUNT = "111122223333"
Budgets = dict[str, Any]


@pytest.fixture
def deploy(
    project: Path, command: Callable[..., Any], target: LocalTarget
) -> Iterator[Callable[[str], tuple[Budgets, Any]]]:
    """Deploys with these further teams; the budgets of the account then by name, and how the command ended."""

    def run(further: str) -> tuple[Budgets, Any]:
        (project / "environments" / "budgets.yaml").write_text(TEXT + further)
        ran = command("deploy", "--local", "budgets")
        assert ran.status == 0, ran.document
        return _budgets(target), ran

    yield run
    assert command("destroy", "--local", "budgets").status == 0
    assert _budgets(target) == {}


def _budgets(target: LocalTarget) -> Budgets:
    found = client(target, "budgets").describe_budgets(AccountId=ACCOUNT)["Budgets"]
    return {each["BudgetName"]: each for each in found}


def _addresses(target: LocalTarget, name: str) -> set[str]:
    api = client(target, "budgets")
    alerts = api.describe_notifications_for_budget(AccountId=ACCOUNT, BudgetName=name)["Notifications"]
    assert len(alerts) == 3
    return {
        subscriber["Address"]
        for alert in alerts
        for subscriber in api.describe_subscribers_for_notification(
            AccountId=ACCOUNT,
            BudgetName=name,
            Notification={key: value for key, value in alert.items() if key != "NotificationState"},
        )["Subscribers"]
    }


def _of(budgets: Budgets, team: str) -> Any:
    (found,) = [each for name, each in budgets.items() if name.startswith(f"budgets-{team}-")]
    return found


@pytest.mark.exhaustive
def test_a_budget_follows_its_team(deploy: Callable[[str], tuple[Budgets, Any]], target: LocalTarget) -> None:
    made, _ = deploy(RESEARCH % (2000, "r@example.com"))
    research, product = _of(made, "research"), _of(made, "product")
    assert (research["BudgetLimit"]["Amount"], research["TimeUnit"]) == ("2000", "MONTHLY")
    assert research["CostFilters"] == {"TagKeyValue": ["user:neuron-cluster:team$research"]}
    assert _addresses(target, research["BudgetName"]) == {"r@example.com"}

    changed, _ = deploy(RESEARCH % (3000, "r@example.com"))
    assert _of(changed, "research")["BudgetName"] == research["BudgetName"]
    assert _of(changed, "research")["BudgetLimit"]["Amount"] == "3000"

    notified, _ = deploy(RESEARCH % (3000, "s@example.com"))
    assert _of(notified, "research")["BudgetName"] != research["BudgetName"]
    assert _addresses(target, _of(notified, "research")["BudgetName"]) == {"s@example.com"}

    left, _ = deploy("")
    assert list(left) == [product["BudgetName"]]
