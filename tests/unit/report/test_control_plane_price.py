"""The price of extended support is shown from the day on which it is billed."""

from __future__ import annotations

from datetime import timedelta

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.report.control_plane_price import control_plane_price, control_plane_sentences
from neuron_cluster.report.plan_page import closing_lines, plan_as_data


@pytest.mark.parametrize(("days", "usd", "is_said"), [(-1, 0.10, False), (0, 0.60, True), (90, 0.60, True)])
def test_extended_support_costs_six_times_as_much(days: int, usd: float, is_said: bool, training: ClusterPlan) -> None:
    catalog = load_catalog()
    assert training.kubernetes is not None
    version = catalog.kubernetes_versions.get(training.kubernetes.version)
    assert version is not None
    on = version.standard_support_ends + timedelta(days)
    price = control_plane_price(training, catalog, on)
    assert price is not None
    assert price.usd_hour == usd
    sentences = control_plane_sentences(price)
    assert bool(sentences) is is_said
    assert all(each in closing_lines(training, catalog, on) for each in sentences)
    if is_said:
        assert "costs $0.60 an hour, $0.50 more" in sentences[0]
    assert plan_as_data(training, catalog, on)["control_plane_price"]["usd_hour"] == usd


def test_without_a_day_nothing_is_said(training: ClusterPlan) -> None:
    assert control_plane_price(training, load_catalog(), None) is None
    assert control_plane_sentences(None) == []
