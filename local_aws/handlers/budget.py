"""AWS::Budgets::Budget: operations of their own return its notifications and their subscribers."""

from __future__ import annotations

from typing import Any

from local_aws.engine.provider import ResourceContext
from local_aws.handlers.generic import GenericHandler
from local_aws.handlers.values import plain

NOTIFICATIONS = "NotificationsWithSubscribers"
TOLD_BY_SERVICE = ("NotificationState",)


class Budget(GenericHandler):
    type_name = "AWS::Budgets::Budget"

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        """DescribeBudget returns no notifications."""
        client, named = self.client(context), {"AccountId": context.account, "BudgetName": physical_id}
        rows = []
        for each in client.describe_notifications_for_budget(**named)["Notifications"]:
            notification = {name: value for name, value in each.items() if name not in TOLD_BY_SERVICE}
            answer = client.describe_subscribers_for_notification(**named, Notification=notification)
            rows.append({"Notification": plain(notification), "Subscribers": answer["Subscribers"]})
        return {**super().describe(context, physical_id), **({NOTIFICATIONS: rows} if rows else {})}
