"""CloudWatch log groups."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client


class LogGroup(Struct, frozen=True):
    name: str
    stored_bytes: int
    retention_days: int | None
    """None: its entries never expire."""
    is_protected: bool


def log_groups(target: Target, name: str) -> list[LogGroup]:
    """The log group of exactly this name, if there is one; all below a name that ends with a slash."""
    with translated():
        pages = client(target, "logs").get_paginator("describe_log_groups").paginate(logGroupNamePrefix=name)
        rows = [row for page in pages for row in page["logGroups"]]
    return [
        LogGroup(
            row["logGroupName"],
            row.get("storedBytes", 0),
            row.get("retentionInDays"),
            bool(row.get("deletionProtectionEnabled")),
        )
        for row in rows
        if name.endswith("/") or row["logGroupName"] == name
    ]


def delete_log_group(target: Target, group: LogGroup) -> None:
    """Deletes the log group with its entries, also with deletion protection. A missing one is not an error."""
    logs = client(target, "logs")
    with translated():
        try:
            if group.is_protected:
                logs.put_log_group_deletion_protection(logGroupIdentifier=group.name, deletionProtectionEnabled=False)
            logs.delete_log_group(logGroupName=group.name)
        except logs.exceptions.ResourceNotFoundException:
            return
