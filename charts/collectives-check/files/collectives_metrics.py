"""The measurements as metrics: one CloudWatch embedded metric format line each, or Prometheus text.

Format of the lines: https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/
CloudWatch_Embedded_Metric_Format_Specification.html. Format of the text:
https://prometheus.io/docs/instrumenting/exposition_formats/.
"""

from __future__ import annotations

import json
import urllib.parse
import urllib.request
from collections.abc import Iterable, Mapping

from collectives_report import Measurement, Verdict

NAMESPACE = "NeuronCollectives"
PUSH_TIMEOUT_SECONDS = 30


def embedded_metric_lines(
    labels: Mapping[str, str], measurements: Iterable[Measurement], timestamp_ms: int
) -> list[str]:
    """One JSON line for each measurement; CloudWatch has no GiB per second, so the unit is left at None."""
    dimensions = [*sorted(labels), "operation", "size_bytes"]
    return [
        json.dumps(
            {
                "_aws": {
                    "Timestamp": timestamp_ms,
                    "CloudWatchMetrics": [
                        {
                            "Namespace": NAMESPACE,
                            "Dimensions": [dimensions],
                            "Metrics": [
                                {"Name": "bus_bandwidth_gib_per_second"},
                                {"Name": "time", "Unit": "Microseconds"},
                            ],
                        }
                    ],
                },
                **labels,
                "operation": one.operation,
                "size_bytes": str(one.size_bytes),
                "bus_bandwidth_gib_per_second": one.bus_bandwidth,
                "time": one.time_us,
            },
            sort_keys=True,
        )
        for one in measurements
    ]


def prometheus_text(labels: Mapping[str, str], measurements: Iterable[Measurement], verdict: Verdict) -> str:
    """Gauges in the text format, the verdict as 0 (failed) or 1."""
    common = [f'{name}="{_escaped(value)}"' for name, value in sorted(labels.items())]
    bandwidths: list[str] = []
    times: list[str] = []
    for one in measurements:
        names = ",".join([*common, f'operation="{_escaped(one.operation)}"', f'size_bytes="{one.size_bytes}"'])
        bandwidths.append(f"neuron_collectives_bus_bandwidth_gib_per_second{{{names}}} {one.bus_bandwidth}")
        times.append(f"neuron_collectives_time_microseconds{{{names}}} {one.time_us}")
    lines = [
        "# TYPE neuron_collectives_bus_bandwidth_gib_per_second gauge",
        *bandwidths,
        "# TYPE neuron_collectives_time_microseconds gauge",
        *times,
        "# TYPE neuron_collectives_check_passed gauge",
        f"neuron_collectives_check_passed{{{','.join(common)}}} {int(verdict is not Verdict.FAILED)}",
        "# TYPE neuron_collectives_check_warned gauge",
        f"neuron_collectives_check_warned{{{','.join(common)}}} {int(verdict is Verdict.WARNED)}",
    ]
    return "\n".join(lines) + "\n"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def push(gateway_url: str, job: str, text: str) -> None:
    """Replaces the group of this job at a Prometheus push gateway. Raises OSError when it cannot be reached."""
    if not gateway_url.startswith(("http://", "https://")):
        raise OSError(f"{gateway_url} is not an http(s) address")
    request = urllib.request.Request(  # noqa: S310  the scheme is checked above
        f"{gateway_url.rstrip('/')}/metrics/job/{urllib.parse.quote(job, safe='')}",
        data=text.encode(),
        method="PUT",
        headers={"Content-Type": "text/plain; version=0.0.4"},
    )
    with urllib.request.urlopen(request, timeout=PUSH_TIMEOUT_SECONDS):  # noqa: S310  as above
        return
