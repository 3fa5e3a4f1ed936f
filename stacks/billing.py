"""The billing stack: a budget for the environment and for each team that has one. It holds nothing."""

from __future__ import annotations

from aws_cdk import aws_budgets as budgets
from constructs import Construct

from neuron_cluster.plan.budget_plan import BudgetAlert, BudgetPlan
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.core_stacks import BILLING
from neuron_cluster.plan.environment_tag import ENVIRONMENT_TAG
from neuron_cluster.plan.team import TEAM_TAG
from stacks.environment_stack import EnvironmentStack
from stacks.stack_context import StackContext


def build(context: StackContext) -> BillingStack:
    return BillingStack(context.scope, context.plan)


class BillingStack(EnvironmentStack):
    """Budgets that do not depend on one another."""

    def __init__(self, scope: Construct, plan: ClusterPlan) -> None:
        super().__init__(scope, BILLING.stack_key, plan)
        for budget in plan.budgets:
            if budget.team is not None:
                self._budget(budget, f"Budget {budget.team}", f"{TEAM_TAG}${budget.team}")
            else:
                self._budget(budget, "Budget Environment", f"{ENVIRONMENT_TAG}${plan.name}")

    def _budget(self, plan: BudgetPlan, construct_id: str, tag: str) -> None:
        """Counts what carries the tag, a key and a value with ``$`` between them."""
        budgets.CfnBudget(
            self,
            construct_id,
            budget=budgets.CfnBudget.BudgetDataProperty(
                budget_name=plan.name,
                budget_type="COST",
                time_unit="MONTHLY",
                budget_limit=budgets.CfnBudget.SpendProperty(amount=plan.usd_month, unit="USD"),
                cost_filters={"TagKeyValue": [f"user:{tag}"]},
            ),
            notifications_with_subscribers=[_notification(each, plan) for each in plan.alerts],
        )


def _notification(alert: BudgetAlert, plan: BudgetPlan) -> budgets.CfnBudget.NotificationWithSubscribersProperty:
    topics = [plan.topic_arn] if plan.topic_arn is not None else []
    return budgets.CfnBudget.NotificationWithSubscribersProperty(
        notification=budgets.CfnBudget.NotificationProperty(
            notification_type=alert.kind,
            comparison_operator="GREATER_THAN",
            threshold=alert.percent,
            threshold_type="PERCENTAGE",
        ),
        subscribers=[
            *(_subscriber("EMAIL", address) for address in plan.emails),
            *(_subscriber("SNS", arn) for arn in topics),
        ],
    )


def _subscriber(kind: str, address: str) -> budgets.CfnBudget.SubscriberProperty:
    return budgets.CfnBudget.SubscriberProperty(subscription_type=kind, address=address)
