"""Open questions of the catalog appear where a file depends on them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from rule_fixture import Case

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.pipeline import check_environment
from neuron_cluster.providers.pcs.doubts import doubts_of

PROJECT = Path(__file__).parents[4]
CATALOG = load_catalog()
CPU_ALONE: dict[str, Any] = {
    "slurm.groups": [{"name": "cpu", "instance_type": "m7i.xlarge", "count": {"max": "2"}}],
    "slurm.queues": [{"name": "all", "groups": ["cpu"]}],
}
ULTRASERVER = {"kind": "ultraserver_block", "ultraserver": "u-trn2x64", "reservation_id": "cr-0123456789abcdef0"}
BLOCK = {"kind": "capacity_block", "reservation_id": "cr-0123456789abcdef0"}
ALWAYS = {"agent_on_dlami", "first_job_of_a_node"}
NEURON = {*ALWAYS, "trainium"}


def questions(edits: dict[str, Any], folder: Path) -> set[str]:
    file = folder / "slurm-trn1.yaml"
    file.write_text(Case("slurm-trn1", edits).text(), encoding="utf-8")
    resolved = check_environment(file).require_resolved()
    return {row.name for row, _ in doubts_of(resolved, CATALOG, None)}


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        ({}, NEURON),
        ({"slurm": "~delete~"}, set()),
        (CPU_ALONE, ALWAYS),
        ({"slurm.groups[0].capacity": BLOCK}, {*NEURON, "trainium_capacity_blocks"}),
        ({"slurm.queues[0].whole_nodes": "false"}, {*NEURON, "runtime_under_cgroups"}),
        ({"slurm.dlami": "base_amazon_linux_2023"}, {*NEURON} - {"first_job_of_a_node"}),
        ({"network.nat": "none"}, {*NEURON, "private_dns"}),
        ({"slurm.version": "25.05"}, {*NEURON, "end_of_25_05"}),
        ({"slurm.settings": {"MetricsType": "metrics/openmetrics"}}, {*NEURON, "metrics_type"}),
        ({"slurm.version": "26.05", "slurm.settings": {"MetricsType": "metrics/openmetrics"}}, NEURON),
        ({"slurm.groups[0].capacity": ULTRASERVER, "slurm.groups[0].instance_type": "trn2u.48xlarge",
          "slurm.groups[0].count": {"max": "4"}},
         {*NEURON, "trainium_capacity_blocks", "ultraservers"}),
        ({"slurm.groups[0].instance_type": "trn2u.48xlarge"}, {*NEURON, "ultraservers"}),
    ],
)  # fmt: skip
def test_a_file_has_the_questions_that_it_depends_on(edits: dict[str, Any], expected: set[str], tmp_path: Path) -> None:
    assert questions(edits, tmp_path) == expected


def test_the_page_has_a_row_for_each_question() -> None:
    page = (PROJECT / "docs" / "slurm.md").read_text(encoding="utf-8")
    rows = [line.split(" | ")[0].removeprefix("| ") for line in page.split("## Open questions")[1].splitlines()[6:]]
    assert rows == [row.title for row in CATALOG.slurm_doubts]


def test_a_question_about_a_region_is_asked_there_alone(tmp_path: Path) -> None:
    file = tmp_path / "slurm-trn1.yaml"
    file.write_text(Case("slurm-trn1", {}).text(), encoding="utf-8")
    resolved = check_environment(file).require_resolved()
    moved = replace(resolved, config=resolved.config.model_copy(update={"region": "ap-south-2"}))
    names = [row.name for row, _ in doubts_of(moved, CATALOG, None)]
    assert set(names) == {*NEURON, "region_ap_south_2"}
    assert len(names) == len(set(names))
