"""Important warnings are shown where the others are counted."""

from __future__ import annotations

from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.report.folded_warnings import folded_warnings


def warning(finding_id: str) -> Finding:
    return Finding(finding_id, Location("a.yaml", 1), "m", "h")


def test_important_warnings_are_shown_and_the_others_counted() -> None:
    early, pinned = warning("W3042"), warning("W3011")
    assert folded_warnings([early, pinned]) == ([early], "1 warning more; `neuron-cluster validate` shows them.")
    assert folded_warnings([pinned]) == ([], "1 warning; `neuron-cluster validate` shows them.")
    assert folded_warnings([early]) == ([early], "")
    assert folded_warnings([]) == ([], "")
