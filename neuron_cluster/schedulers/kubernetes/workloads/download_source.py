"""Where a workload downloads models from, and networks that have no route to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from local_kubernetes.model.chart_values import merged, value_at
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.schedulers.kubernetes.workloads.bundled_chart import BundledChart
from neuron_cluster.schedulers.kubernetes.workloads.findings import finding

ENDPOINT = "download.endpoint"
PROXY = "env.HTTPS_PROXY"


def download_findings(chart: BundledChart, values: Mapping[str, Any], plan: ClusterPlan) -> Iterator[Finding]:
    """E9254 where only the internet has the chart's own host, and the network has no route to it.

    A mirror of the user's may be anywhere, and so may a proxy.
    """
    usual = value_at(chart.defaults, ENDPOINT)
    whole = merged(chart.defaults, values)
    endpoint = value_at(whole, ENDPOINT)
    is_download = value_at(whole, "job") == "download" and value_at(whole, "download.source") == "huggingface"
    if usual is None or not is_download or plan.network.has_internet or value_at(whole, PROXY):
        return
    if urlsplit(str(endpoint)).hostname == urlsplit(usual).hostname:
        message = f"{plan.name} has no route to the internet, and the download is from {endpoint}"
        hint = (
            "set download.endpoint to a mirror of it in the network; or fill a bucket from another machine, and set "
            "download.source=s3 and download.url=s3://BUCKET/PREFIX"
        )
        yield finding("E9254", chart.name, ENDPOINT, message, hint)
