"""Rows of ``observability``: dashboards and alarms hold nothing."""

from __future__ import annotations

from neuron_cluster.config.change_row import ChangeRow, FieldEffect

ALARM = (
    "The alarm's threshold changes in place, and with a first value an alarm is created; with prometheus the chart is "
    "upgraded."
)

OBSERVABILITY_ROWS = (
    ChangeRow(
        "observability",
        FieldEffect.DISPOSABLE,
        "Dashboard and alarms are created; when the section is removed, their stack is deleted (W9504). Metrics are "
        "kept. No node and no other stack of the cluster changes.",
        depends=True,
    ),
    ChangeRow(
        "observability.metrics",
        FieldEffect.DISPOSABLE,
        "Dashboard and alarms are created in the other service. From CloudWatch to Prometheus, the stack of the old "
        "ones is deleted (W9504); metrics that were kept stay where they are.",
    ),
    ChangeRow("observability.alarm_topic_arn", FieldEffect.IN_PLACE, "Alarms notify the new SNS topic."),
    ChangeRow(
        "observability.container_logs",
        FieldEffect.IN_PLACE,
        "The CloudWatch add-on sends container logs, or stops; its pods restart. What was sent stays until it expires.",
        depends=True,
    ),
    ChangeRow("observability.alarms", FieldEffect.DISPOSABLE, ALARM, depends=True),
    *(
        ChangeRow(f"observability.alarms.{name}", FieldEffect.DISPOSABLE, ALARM, depends=True)
        for name in (
            "ecc_events",
            "execution_errors",
            "execution_latency_ms",
            "device_memory_percent",
            "core_utilization_below_percent",
            "efa_unresponsive_remote_events",
            "efa_dropped_packets",
            "lustre_export_lag_minutes",
            "lustre_free_capacity_percent",
            "lustre_metadata_operations",
        )
    ),
)
