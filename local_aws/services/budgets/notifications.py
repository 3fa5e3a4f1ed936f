"""Notifications of a budget and their subscribers, as its creation had them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.registry import operation
from local_aws.services.table import tables

SERVICE = "budgets"
BUDGET = "AWS::Budgets::Budget"


@operation(SERVICE, "DescribeNotificationsForBudget")
def describe_notifications_for_budget(call: Call) -> Mapping[str, Any]:
    return {"Notifications": [{**each["Notification"], "NotificationState": "OK"} for each in _notifications(call)]}


@operation(SERVICE, "DescribeSubscribersForNotification")
def describe_subscribers_for_notification(call: Call) -> Mapping[str, Any]:
    wanted = {name: value for name, value in call.parameters["Notification"].items() if name != "NotificationState"}
    for each in _notifications(call):
        if each["Notification"] == wanted:
            return {"Subscribers": each["Subscribers"]}
    raise api_error("budgets.notification_not_found", budget=call.parameters["BudgetName"])


def _notifications(call: Call) -> list[Mapping[str, Any]]:
    table = next(each for each in tables() if each.type_name == BUDGET)
    found: list[Mapping[str, Any]] = table.row(call).get("NotificationsWithSubscribers", [])
    return found
