"""Dashboards and alarms: the destination of metrics, the SNS topic, and the thresholds."""

import enum
from typing import Annotated

from pydantic import Field

from neuron_cluster.config.scalars import ClosedModel, Switch, WholeNumber

TOPIC_PATTERN = r"^arn:aws(-[a-z]+)*:sns:[a-z]{2}(-[a-z]+)+-[0-9]:[0-9]{12}:[A-Za-z0-9_-]{1,256}$"
Count = Annotated[WholeNumber, Field(ge=0, le=1_000_000_000)]
Percent = Annotated[WholeNumber, Field(ge=1, le=100)]


class MetricsStore(enum.StrEnum):
    """Where metrics of Neuron devices and EFA are kept."""

    CLOUDWATCH = "cloudwatch"
    PROMETHEUS = "prometheus"


class Alarms(ClosedModel):
    """Alarm thresholds. `neuron-cluster catalog alarms` shows the defaults and their sources."""

    ecc_events: Count | None = Field(
        default=None,
        description="ALARM above this number of ECC events of Neuron devices (with cloudwatch corrected ones too). "
        "Default: 0.",
        examples=[0],
    )
    execution_errors: Count | None = Field(
        default=None, description="ALARM above this number of failed executions. Default: 0.", examples=[0]
    )
    execution_latency_ms: Annotated[WholeNumber, Field(ge=1, le=86_400_000)] | None = Field(
        default=None,
        description="ALARM above this execution latency in milliseconds (cloudwatch: median, prometheus: 99th "
        "percentile). Default: no alarm, because latency depends on the model.",
        examples=[250],
    )
    device_memory_percent: Percent | None = Field(
        default=None,
        description="ALARM above this percentage of a core's device memory, of the instance type with the most device "
        "memory. Default: 95.",
        examples=[95],
    )
    core_utilization_below_percent: Percent | None = Field(
        default=None,
        description="ALARM below this average utilization of all NeuronCores for an hour, in percent. Only with "
        "cloudwatch. Default: no alarm; nodes without a job count as zero.",
        examples=[20],
    )
    efa_unresponsive_remote_events: Count | None = Field(
        default=None,
        description="ALARM above this number of EFA connections with an unresponsive remote. Default: 0.",
        examples=[0],
    )
    efa_dropped_packets: Count | None = Field(
        default=None,
        description="ALARM above this number of received EFA packets that are dropped. Only with cloudwatch. Default: "
        "no alarm.",
        examples=[1000],
    )
    lustre_export_lag_minutes: Annotated[WholeNumber, Field(ge=1, le=100_000)] | None = Field(
        default=None,
        description="ALARM when a file of storage.lustre waits longer than these minutes for its export to the bucket. "
        "Only with cloudwatch. Default: 60. With storage.checkpoints the default is their interval.",
        examples=[60],
    )
    lustre_free_capacity_percent: Percent | None = Field(
        default=None,
        description="ALARM below this percentage of free capacity of storage.lustre. Only with cloudwatch. "
        "Default: 10.",
        examples=[10],
    )
    lustre_metadata_operations: Annotated[WholeNumber, Field(ge=1, le=1_000_000_000)] | None = Field(
        default=None,
        description="ALARM above this number of metadata operations of storage.lustre in a minute. Only with "
        "cloudwatch. Default: no alarm; some operations cost more than others.",
        examples=[200_000],
    )


class Observability(ClosedModel):
    """Dashboards and alarms for Neuron devices, EFA and Lustre."""

    metrics: MetricsStore = Field(
        description="cloudwatch: a CloudWatch dashboard and alarms on the metrics of "
        "eks.addons.cloudwatch_observability. prometheus: a Grafana dashboard and alerts in the cluster, with "
        "eks.addons.kube_prometheus_stack and neuron_monitor.",
        examples=["cloudwatch"],
    )
    alarm_topic_arn: Annotated[str, Field(pattern=TOPIC_PATTERN)] | None = Field(
        default=None,
        description="ARN of your SNS topic that CloudWatch alarms notify when they enter and leave ALARM, and "
        "Alertmanager of kube_prometheus_stack for its alerts. Absent: nothing is "
        "sent.",
        examples=["arn:aws:sns:us-west-2:111122223333:on-call"],
    )
    container_logs: Switch = Field(
        default=True,
        description="Only with cloudwatch: the add-on sends the logs of containers and nodes to CloudWatch Logs, "
        "billed per GB. false: only metrics. Default: true.",
        examples=[False],
    )
    alarms: Alarms = Field(
        default_factory=Alarms, description="Thresholds that differ from the defaults.", examples=[{"ecc_events": 10}]
    )
