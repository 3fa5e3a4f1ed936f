"""Teams of a new environment: named ones replace the examples of the template, whose quotas follow the devices."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.pipeline import check_environment
from neuron_cluster.sizing.find_model import find_model
from neuron_cluster.starter.environment_text import environment_text
from neuron_cluster.starter.new_environment import NewEnvironment
from neuron_cluster.starter.template import template

CATALOG = load_catalog()
EXAMPLES = ["language", "vision", "speech", "biology", "robotics"]
PLACEHOLDERS = {"W3011", "W2054"}
"""Warnings of every new environment: no lock, and teams without members."""


def text_of(**given: object) -> str:
    values = {"name": "mine", "account": "210987654321", "region": "us-west-2", "purpose": "research", **given}
    return environment_text(template("research-teams"), NewEnvironment(**values), CATALOG).text  # type: ignore[arg-type]


def found_in(text: str, folder: Path) -> set[str]:
    file = folder / "mine.yaml"
    file.write_text(text)
    return {each.id for each in check_environment(file, display_name=file.name).findings}


def quotas(text: str, group: str = "trn1") -> dict[str, dict[str, Any]]:
    return {
        team["name"]: {key: value for key, value in quota.items() if key != "node_group"}
        for team in yaml.safe_load(text)["teams"]
        for quota in team.get("quota", [])
        if quota["node_group"] == group
    }


def group_names(text: str) -> list[str]:
    return [group["name"] for group in yaml.safe_load(text)["eks"]["node_groups"]]


def test_named_teams_replace_the_examples_and_what_is_theirs_alone(tmp_path: Path) -> None:
    text = text_of(teams=("red", "green", "blue"))
    assert quotas(text) == {"red": {"devices": 64}, "green": {"devices": 32}, "blue": {"devices": 32}}
    assert quotas(text, "trn1-dev") == {"red": {"devices": 2}, "green": {"devices": 1}, "blue": {"devices": 1}}
    assert group_names(text) == ["system", "trn1-dev", "trn1"]
    assert [name for name in EXAMPLES if name in text.partition("\n")[2]] == [], "the first line names the schema"
    assert found_in(text, tmp_path) <= PLACEHOLDERS


def test_the_node_group_of_a_team_that_is_named_stays(tmp_path: Path) -> None:
    text = text_of(teams=("robotics", "red"))
    assert "inf2" in group_names(text)
    assert found_in(text, tmp_path) <= PLACEHOLDERS


def test_teams_without_a_device_for_each_borrow_those_of_the_smaller_group(tmp_path: Path) -> None:
    text = text_of(teams=tuple(f"team-{number}" for number in range(8)))
    assert set(quotas(text)) == {f"team-{number}" for number in range(8)}
    assert quotas(text, "trn1-dev") == {}
    assert found_in(text, tmp_path) <= PLACEHOLDERS


@pytest.mark.parametrize(
    ("devices", "expected"),
    [
        (16, [(4, 8, None), (4, None, None), (4, None, 2), (4, None, None)]),
        (64, [(16, 32, None), (16, None, None), (16, None, 8), (16, None, None)]),
        (256, [(96, 128, None), (64, None, None), (64, None, 32), (32, None, None)]),
    ],
)
def test_quotas_of_the_examples_follow_the_number_of_devices(
    devices: int, expected: list[tuple[int | None, ...]], tmp_path: Path
) -> None:
    text = text_of(devices=devices)
    assert [tuple(map(quota.get, ("devices", "borrow", "lend"))) for quota in quotas(text).values()] == expected
    assert found_in(text, tmp_path) <= PLACEHOLDERS


def test_quotas_of_the_examples_follow_another_instance_type(tmp_path: Path) -> None:
    text = text_of(
        model=find_model("llama-3.1-70b", None, CATALOG), purchase_option="capacity_block", region="us-east-2"
    )
    (name,) = [each for each in group_names(text) if each not in ("system", "trn1-dev", "inf2")]
    found = quotas(text, name)
    assert list(found) == EXAMPLES[:4]
    assert all(quota["devices"] for quota in found.values())
    assert found_in(text, tmp_path) <= PLACEHOLDERS


@pytest.mark.parametrize("region", ["us-east-1", "us-east-2", "us-west-2"])
def test_zones_offer_the_instances_of_all_groups(region: str, tmp_path: Path) -> None:
    assert found_in(text_of(region=region), tmp_path) <= PLACEHOLDERS


def test_teams_without_kubernetes_have_no_queue_quota_or_namespaces(tmp_path: Path) -> None:
    new = NewEnvironment(name="mine", account="210987654321", region="us-west-2", teams=("red", "blue"))
    text = environment_text(template("slurm-trn1"), new, CATALOG).text
    document = yaml.safe_load(text)
    assert [team["name"] for team in document["teams"]] == ["red", "blue"]
    assert [list(team) for team in document["teams"]] == [["name", "members"]] * 2
    assert "queue" not in document["slurm"]["groups"][0]
    found = found_in(text, tmp_path)
    assert not any(each.startswith("E") for each in found)
    assert "W2125" not in found, "homes are on a file system that all nodes share"
