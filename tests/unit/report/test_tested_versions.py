"""`plan` says which chart its authors do not test on the Kubernetes version of the cluster."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.providers.eks.report.cluster_page import cluster_tables
from neuron_cluster.report.marks import Marks


@pytest.mark.parametrize(("version", "is_noted"), [("1.35", False), ("1.36", True)])
def test_an_untested_version_is_in_the_note_of_the_charts(
    version: str, is_noted: bool, plan_of: Callable[..., Any]
) -> None:
    plan = plan_of("train-trn1", {"eks.version": version, "eks.addons.keda": True})
    (charts,) = (
        table
        for table in cluster_tables(plan.kubernetes, Marks({}), load_catalog())
        if table.title.startswith("Helm charts")
    )
    assert ("keda 2.20.2 is tested by its authors on Kubernetes 1.33 to 1.35, not on 1.36" in charts.note) == is_noted
