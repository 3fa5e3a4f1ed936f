"""Rules about Slurm find the same in the section of another provider than PCS."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from neuron_cluster.findings.finding import Finding
from neuron_cluster.pipeline import check_environment
from neuron_cluster.protocol.registry import register, unregister
from tests.unit.schedulers.slurm.another_provider import POOL

SHIPPED = Path(__file__).parents[4] / "environments/slurm-trn1.yaml"
GROUP = {
    "name": "trn1",
    "instance_type": "trn1.32xlarge",
    "dlami": "base_ubuntu_24_04",
    "count": {"max": 2},
    "availability_zone": "usw2-az4",
}
OTHER = {**GROUP, "name": "cpus", "instance_type": "m7i.xlarge"}
QUEUE = {"name": "training", "groups": ["trn1"]}
LONG = "a-team-with-a-name-of-31-letters"
TEAMS = [{"name": name, "members": ["arn:aws:iam::111122223333:role/team"]} for name in (LONG, "two")]


@pytest.fixture(scope="module", autouse=True)
def pool() -> Iterator[None]:
    """Registered once: each registration builds the model of the file again."""
    register(POOL)
    yield
    unregister(POOL)


def found(folder: Path, pool: dict[str, Any], **others: Any) -> list[Finding]:
    """Findings of chapter 2 for the shipped file with this section in the place of that of PCS."""
    tree = yaml.load(SHIPPED.read_text(encoding="utf-8"), Loader=yaml.CBaseLoader)  # noqa: S506 - texts, lists, mappings
    del tree["slurm"]
    whole = {**tree, **others, "pool": {"groups": [GROUP], "queues": [QUEUE], **pool}}
    file = folder / "slurm-trn1.yaml"
    file.write_text(json.dumps(whole, indent=1), encoding="utf-8")
    return [each for each in check_environment(file).findings if each.id[1] in "02"]


def test_a_correct_section_has_no_finding(tmp_path: Path) -> None:
    assert found(tmp_path, {}) == []


@pytest.mark.parametrize(
    ("pool", "finding", "path", "text"),
    [
        ({"queues": [{**QUEUE, "groups": ["trn2"]}]}, "E2106", "pool.queues[0].groups[0]", "names of pool.groups"),
        ({"groups": [GROUP, OTHER]}, "E2107", "pool.groups[1].name", "no queue has the group cpus"),
        ({"queues": [QUEUE, QUEUE]}, "E2108", "pool.queues[1].name", "which pool.queues[0] already uses"),
        (
            {"queues": [{**QUEUE, "default": True}, {**QUEUE, "name": "b", "default": True}]},
            "E2108",
            "pool.queues[1].default",
            "pool.queues[0] is the default already",
        ),
        (
            {"groups": [{**GROUP, "settings": {"Gres": "gpu:1"}}]},
            "E2111",
            "pool.groups[0].settings.Gres",
            "gpu:trainium:16 of trn1.32xlarge",
        ),
        ({"settings": {"AccountingStorageEnforce": "qos"}}, "E2112", "pool.settings.AccountingStorageEnforce", "false"),
        ({"settings": {"JobRequeue": "maybe"}}, "E2115", "pool.settings.JobRequeue", "maybe"),
    ],
    ids=lambda value: value if isinstance(value, str) and value[0] == "E" else "",
)
def test_a_rule_about_its_queues_or_settings_finds_the_key_of_its_section(
    pool: dict[str, Any], finding: str, path: str, text: str, tmp_path: Path
) -> None:
    named = [each for each in found(tmp_path, pool) if (each.id, each.location.path) == (finding, path)]
    assert len(named) == 1
    assert text in f"{named[0].message} {named[0].hint}"


def test_a_message_about_a_newer_word_names_the_service_of_the_section(tmp_path: Path) -> None:
    settings = {"SelectTypeParameters": "CR_Socket"}
    (message,) = [each.message for each in found(tmp_path, {"version": "24.11", "settings": settings})]
    assert "HyperPod accepts CR_Socket from Slurm" in message


def test_rules_about_teams_and_files_find_the_users_of_its_nodes(tmp_path: Path) -> None:
    queues = [{**QUEUE, "whole_nodes": False}]
    quota = {**TEAMS[0], "quota": [{"node_group": "trn1", "devices": 1}]}
    without_window = {"lustre": {"availability_zone": "usw2-az4", "capacity_gib": 1200}}
    shared = found(tmp_path, {"queues": queues}, teams=[quota, TEAMS[1]], storage=without_window)
    assert {each.id for each in shared} >= {"E2123", "W2126", "W2128", "W2129"}
    homeless = found(tmp_path, {}, teams=TEAMS, storage={})
    assert "W2125" in {each.id for each in homeless}
