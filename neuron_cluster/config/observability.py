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
    """From which value on an alarm rings. `neuron-cluster catalog alarms` has the defaults and their doubts."""

    ecc_events: Count | None = Field(
        default=None,
        description="ECC events of Neuron devices (with cloudwatch corrected ones too): more than this. Default: 0.",
        examples=[0],
    )
    execution_errors: Count | None = Field(
        default=None, description="Executions that fail: more than this. Default: 0.", examples=[0]
    )
    execution_latency_ms: Annotated[WholeNumber, Field(ge=1, le=86_400_000)] | None = Field(
        default=None,
        description="Milliseconds that an execution takes (cloudwatch: median, prometheus: 99th percentile): longer. "
        "Default: no alarm, since every model has its own.",
        examples=[250],
    )
    device_memory_percent: Percent | None = Field(
        default=None,
        description="Percent of the device memory of a core: more, measured by the largest of the environment's "
        "Neuron types. Default: 95.",
        examples=[95],
    )
    core_utilization_below_percent: Percent | None = Field(
        default=None,
        description="Percent that all NeuronCores of the cluster do on average for an hour: less. For cloudwatch. "
        "Default: no alarm; nodes without a job count as zero.",
        examples=[20],
    )
    efa_unresponsive_remote_events: Count | None = Field(
        default=None,
        description="EFA connections whose other end does not answer: more than this. Default: 0.",
        examples=[0],
    )
    efa_dropped_packets: Count | None = Field(
        default=None,
        description="EFA packets dropped on arrival: more than this. For cloudwatch. Default: no alarm.",
        examples=[1000],
    )


class Observability(ClosedModel):
    """Dashboards and alarms for Neuron devices and EFA, there before the first job."""

    metrics: MetricsStore = Field(
        description="cloudwatch: a CloudWatch dashboard and alarms, of what eks.addons.cloudwatch_observability "
        "publishes. prometheus: a Grafana dashboard and alerts in the cluster, for eks.addons.kube_prometheus_stack "
        "and neuron_monitor.",
        examples=["cloudwatch"],
    )
    alarm_topic_arn: Annotated[str, Field(pattern=TOPIC_PATTERN)] | None = Field(
        default=None,
        description="SNS topic of yours that alarms notify when they enter and leave ALARM, for cloudwatch. "
        "Absent: alarms show in the console alone.",
        examples=["arn:aws:sns:us-west-2:111122223333:on-call"],
    )
    container_logs: Switch = Field(
        default=True,
        description="With cloudwatch: the add-on sends the log of every container and of each node to CloudWatch, "
        "billed by the gigabyte. false: metrics alone. Default: true.",
        examples=[False],
    )
    alarms: Alarms = Field(
        default_factory=Alarms, description="Thresholds that differ from the defaults.", examples=[{"ecc_events": 10}]
    )
