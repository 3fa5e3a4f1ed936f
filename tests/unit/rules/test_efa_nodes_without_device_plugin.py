"""Rule W5002 sends nobody to a plugin that would pass over their nodes."""

from pathlib import Path

import pytest
from rule_fixture import Case

from neuron_cluster.line import check_environment


@pytest.mark.parametrize(
    ("instance_type", "said"), [("trn2.48xlarge", "remove the line"), ("trn3.48xlarge", "does not know trn3.48xlarge")]
)
def test_the_way_out_is_the_chart_only_where_it_knows_the_type(instance_type: str, said: str, tmp_path: Path) -> None:
    edits = {"eks.addons": {"efa_device_plugin": "false"}, "eks.node_groups[1].instance_type": instance_type}
    file = tmp_path / "environment.yaml"
    file.write_text(Case("train-trn1", edits).text(), encoding="utf-8")
    (finding,) = [finding for finding in check_environment(file).findings if finding.id == "W5002"]
    assert said in finding.hint
