"""How long controllers of Kubernetes, and machines, take to notice or to do something."""

from __future__ import annotations

from neuron_cluster.catalog.sourced_row import SourcedRow


class ControllerTiming(SourcedRow, frozen=True, kw_only=True):
    """``seconds`` of what ``what`` describes. An estimate has a doubt."""

    what: str
    seconds: float
