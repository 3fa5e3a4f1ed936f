"""Actions on an unhealthy node agree with AWS's documentation."""

from __future__ import annotations

from msgspec.structs import replace

from neuron_cluster.catalog.catalog import load_catalog

ROWS = load_catalog().node_repairs.by_name


def test_what_the_documents_want_replaced_is_replaced() -> None:
    row = ROWS["NeuronDMAError"]
    assert list(row.contradictions()) == []
    assert [field for field, _ in replace(row, action="reboot").contradictions()] == ["action"]


def test_eks_takes_no_wait_below_a_minute() -> None:
    assert [field for field, _ in replace(ROWS["NeuronDMAError"], wait_minutes=0).contradictions()] == ["wait_minutes"]


def test_an_action_that_differs_from_what_eks_does_says_that_it_is_judged() -> None:
    """EKS replaces in all these cases."""
    assert [row.name for row in ROWS.values() if row.action != "replace" and not row.doubt_about("action")] == []
