"""The hints of E5040 correct it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from rule_fixture import Case

from neuron_cluster.findings.finding import Finding
from neuron_cluster.pipeline import check_environment


def found(folder: Path, edits: dict[str, Any]) -> list[Finding]:
    file = folder / "environment.yaml"
    file.write_text(Case("train-trn3", edits).text(), encoding="utf-8")
    return [finding for finding in check_environment(file).findings if finding.id in {"E5040", "E5060"}]


@pytest.mark.parametrize(
    "edits", [{"observability": {"metrics": "cloudwatch"}}, {"eks.addons": {"cloudwatch_observability": "true"}}]
)
def test_metrics_of_a_type_that_cloudwatch_does_not_list_are_to_go_to_prometheus(
    edits: dict[str, Any], tmp_path: Path
) -> None:
    (finding,) = found(tmp_path, edits)
    assert finding.hint.startswith("write observability.metrics: prometheus, whose neuron-monitor supports this type")
    assert found(tmp_path, {"observability": {"metrics": "prometheus"}}) == []
