"""The releases of bundled charts in a cluster as a table."""

from __future__ import annotations

from collections.abc import Sequence

from neuron_cluster.report.price import dollars, total
from neuron_cluster.schedulers.kubernetes.running.running_list import RunningRelease
from neuron_cluster.schedulers.kubernetes.running.status_page import age
from neuron_cluster.table import Table

COLUMNS = ("release", "state", "queue", "Ready", "nodes", "age", "USD/h")
NOTE = "USD/h: Neuron devices that the pods hold, at the reference on-demand price of their nodes."


def running_table(releases: Sequence[RunningRelease], environment: str) -> Table:
    """One row for each; the total of the prices that are known."""
    rows = tuple(
        (
            f"{each.namespace}/{each.release}\n{each.chart}",
            each.state,
            each.queue or "-",
            f"{each.ready_pods} of {each.expected_pods}",
            str(each.nodes),
            age(each.age_seconds),
            dollars(each.usd_hour),
        )
        for each in releases
    )
    known = [each.usd_hour for each in releases if each.usd_hour is not None]
    exact = sum(known) if len(known) == len(releases) else None
    note = f"{NOTE} Total: {total(exact, sum(known))}."
    return Table(f"Releases in the cluster of {environment}", COLUMNS, rows, note)
