"""UltraServers that a workload wants to itself: whether its machines are in one, and what sets the label for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from neuron_cluster.chart_values import value_at
from neuron_cluster.findings.finding import Finding
from neuron_cluster.kubernetes.fields import every_value
from neuron_cluster.workloads.context import WorkloadContext
from neuron_cluster.workloads.device_way import DRA, KEY
from neuron_cluster.workloads.refusal import finding

SIZE = "ultraServer.size"
SERVER_ID = "neuron.amazonaws.com/ultraserver-server-id-"
"""Labels of nodes that share an UltraServer, by the number of nodes in a group
(aws-neuron/aws-neuron-sdk:deploy/eks/ultraserver.rst)."""


def place_findings(site: WorkloadContext, values: Mapping[str, Any], chart: str) -> Iterator[Finding]:
    """An error for a number of nodes that no UltraServer of the machine's type holds together."""
    size = value_at(values, SIZE)
    sizes = [each for each in site.ultraserver_sizes if each > 1]
    if not isinstance(size, int) or not size or size in sizes:
        return
    name = site.group.machine.instance_type
    if sizes:
        message = f"no UltraServer of {name} gives {size} nodes to one job"
        yield finding("E9224", chart, SIZE, message, f"write {' or '.join(map(str, sizes))}, or 0 for none")
    else:
        message = f"nodes are to share an UltraServer by {size}, and {name} is in none"
        yield finding("E9224", chart, SIZE, message, "leave it out, or name a group of another type")


def label_doubts(values: Mapping[str, Any], objects: Iterable[Mapping[str, Any]], chart: str) -> Iterator[Finding]:
    """A warning where pods are placed by labels of UltraServers, and no device plugin is there to set them.

    AWS's own sample for the DRA driver relies on such a label (aws-neuron/aws-neuron-sdk:deploy/eks/dra.rst), and
    no source says who sets it there.
    """
    if value_at(values, KEY) != DRA:
        return
    said = (value for body in objects for _, value in every_value(body))
    labels = {value for value in said if isinstance(value, str) and value.startswith(SERVER_ID)}
    for label in sorted(labels):
        message = f"its pods are placed by the node label {label}, and no source says that the DRA driver sets it"
        look = f"look before you rely on it, `kubectl get nodes -L {label}`: a job waits where no node has the label"
        hint = f"{look}; with {SIZE}=0 none is asked for"
        yield finding("W9225", chart, label, message, hint)
