"""The hint of rule E6004 leads to a name that the service accepts."""

from pathlib import Path

import pytest
from rule_fixture import Case

from neuron_cluster.pipeline import check_environment


@pytest.mark.parametrize(("name", "word"), [("ab", "longer"), ("a" * 26, "shorter")])
def test_the_hint_is_longer_for_a_short_name_and_shorter_for_a_long_one(name: str, word: str, tmp_path: Path) -> None:
    file = tmp_path / "environment.yaml"
    file.write_text(Case("slurm-trn1", {"slurm.queues[0].name": name}).text(), encoding="utf-8")
    hints = [finding.hint for finding in check_environment(file).findings if finding.id == "E6004"]
    assert hints == [f"choose a {word} name"]
