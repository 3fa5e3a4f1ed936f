"""Budgets: operations of their own return the notifications and their subscribers."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from local_aws.resource_types.reader import ResourceReader, Row, Section, Source
from local_aws.resource_types.values import plain

NOTIFICATIONS = "NotificationsWithSubscribers"
RETURNED_ONLY = ("NotificationState",)


class BudgetReader(ResourceReader):
    type_name = "AWS::Budgets::Budget"

    def sections(self, source: Source, physical_id: str, row: Row) -> Iterator[Section]:
        yield from super().sections(source, physical_id, row)
        yield Section((NOTIFICATIONS,), functools.partial(self._notifications, source, physical_id))

    def _notifications(self, source: Source, name: str) -> dict[str, Any]:
        named = {"AccountId": source.account, "BudgetName": name}
        rows = []
        for row in self.answer(source, "DescribeNotificationsForBudget", named)["Notifications"]:
            notification = {member: value for member, value in row.items() if member not in RETURNED_ONLY}
            asked = {**named, "Notification": notification}
            answer = self.answer(source, "DescribeSubscribersForNotification", asked)
            rows.append({"Notification": plain(notification), "Subscribers": answer["Subscribers"]})
        return {NOTIFICATIONS: rows} if rows else {}
