"""Slurm on AWS PCS: versions and sizes in order, settings and names as the models of the API have them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from botocore.loaders import Loader

from neuron_cluster.catalog.catalog import load_catalog

CATALOG = load_catalog()
SCHEMAS = Path(__file__).parents[3] / "local_aws" / "handlers" / "schemas"


@pytest.fixture(scope="module")
def shapes() -> dict[str, Any]:
    return dict(Loader().load_service_model("pcs", "service-2")["shapes"])


def schema(name: str) -> dict[str, Any]:
    return dict(json.loads((SCHEMAS / f"aws-pcs-{name}.json").read_text(encoding="utf-8"))["properties"])


def test_versions_and_the_end_of_their_support_follow_each_other() -> None:
    names = [row.name for row in CATALOG.slurm_versions]
    ends = [row.support_ends for row in CATALOG.slurm_versions]
    assert names == sorted(names)
    assert ends == sorted(ends)


def test_sizes_are_those_of_the_api_with_its_numbers(shapes: dict[str, Any]) -> None:
    assert [row.name.upper() for row in CATALOG.pcs_sizes] == shapes["Size"]["enum"]
    text = shapes["CreateClusterRequest"]["members"]["size"]["documentation"].replace(",", "")
    found = re.findall(r"<code>(\w+)</code>: (\d+) compute nodes and (\d+) jobs", text)
    assert found == [(row.name.upper(), str(row.nodes), str(row.jobs)) for row in CATALOG.pcs_sizes]


@pytest.mark.parametrize("kind", ["Cluster", "ComputeNodeGroup", "Queue"])
def test_names_have_the_limits_of_the_api(kind: str, shapes: dict[str, Any]) -> None:
    row = CATALOG.limits[f"pcs_{kind.removeprefix('ComputeNode').lower()}_name"]
    model = shapes[f"{kind}Name"]
    assert (row.minimum, row.maximum) == (model["min"], model["max"])
    assert row.pattern == model["pattern"].replace("^", "")


@pytest.mark.parametrize(("name", "is_valid"), [("trn1", True), ("a-b", True), ("1ab", False), ("a_b", False)])
def test_group_names_are_judged(name: str, is_valid: bool) -> None:
    assert (CATALOG.limits["pcs_group_name"].problem_with(name) is None) is is_valid


def test_settings_belong_to_known_versions_and_levels() -> None:
    versions = {row.name for row in CATALOG.slurm_versions}
    assert [row.name for row in CATALOG.slurm_settings] == ["cluster", "group", "queue"]
    assert all(set(row.settings.values()) <= versions for row in CATALOG.slurm_settings)


def test_a_setting_belongs_to_the_levels_that_list_it() -> None:
    cluster, queue = (CATALOG.slurm_settings[level] for level in ("cluster", "queue"))
    assert cluster.accepts("PriorityWeightAge")
    assert not queue.accepts("PriorityWeightAge")
    assert queue.accepts("PriorityTier")
    assert not cluster.accepts("PriorityType")


def test_words_of_values_belong_to_known_versions() -> None:
    versions = {row.name for row in CATALOG.slurm_versions}
    values = [value for row in CATALOG.slurm_settings for value in row.values.values()]
    assert set().union(*(value.words.values() for value in values)) <= versions


def test_scripts_run_at_the_level_of_the_cluster_alone() -> None:
    scripts = {"Prolog", "Epilog", "TaskProlog", "HealthCheckProgram"}
    assert scripts <= set(CATALOG.slurm_settings["cluster"].settings)
    for level in ("group", "queue"):
        assert scripts.isdisjoint(CATALOG.slurm_settings[level].settings)


def test_the_schema_still_lacks_what_the_doubt_describes() -> None:
    names = {"LaunchTemplateMode", "SecurityGroupIds", "SshKeyName"}
    assert names.isdisjoint(schema("computenodegroup"))
    assert "launchTemplateMode" in CATALOG.slurm_doubts["launch_template_mode"].unknown


def test_every_question_is_a_clause_and_has_a_way_to_find_out() -> None:
    for row in CATALOG.slurm_doubts:
        assert not row.unknown.endswith("."), row.name
        assert len(row.check) > 20, row.name
