"""The pack of a team with training jobs: its jobs and rights, with commands that exist."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from hint_commands import command_error

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.handover.build_pack import build_pack
from neuron_cluster.handover.departure import departure
from neuron_cluster.handover.named_team import named_team
from neuron_cluster.opened_environment import OpenedEnvironment, opened_environment
from tests.five_teams import ROOT
from tests.unit.handover.packs import commands_in

NAME = "sagemaker-finetune"
WORDS_OF_A_VERB = 2
TEAMS = [{"name": name, "members": [f"arn:aws:iam::111122223333:role/{name}"]} for name in ("research", "speech")]


@pytest.fixture
def opened(tmp_path: Path) -> OpenedEnvironment:
    tree = yaml.safe_load((ROOT / "environments" / f"{NAME}.yaml").read_text("utf-8"))
    tree["teams"] = TEAMS
    tree["sagemaker_training"]["jobs"][0]["team"] = "research"
    file = tmp_path / f"{NAME}.yaml"
    file.write_text(yaml.safe_dump(tree))
    return opened_environment(str(file), None, is_local=False)


def test_a_team_gets_its_jobs_and_the_name_of_its_policy(opened: OpenedEnvironment) -> None:
    pack = build_pack(opened, named_team(opened.plan, "research"))
    assert set(pack.jobs) == {"finetune.json"}
    assert json.loads(pack.files["finetune.json"])["RoleArn"].endswith("${RoleTeamResearch}")
    assert "SubmitPolicyTeamResearch" in pack.files["README.md"]
    assert "login node" not in "".join(pack.files.values())
    commands = [line for text in (pack.files["README.md"], pack.files["runbook.md"]) for line in commands_in(text)]
    whole = [line for line in commands if line.startswith("neuron-cluster") and len(line.split()) > WORDS_OF_A_VERB]
    assert len(whole) > 5
    assert [line for line in whole if command_error(line)] == []


def test_a_team_without_a_job_is_told_who_adds_one(opened: OpenedEnvironment) -> None:
    pack = build_pack(opened, named_team(opened.plan, "speech"))
    assert dict(pack.jobs) == {}
    assert "an administrator adds one" in pack.files["README.md"]


def test_a_team_that_leaves_keeps_its_objects(opened: OpenedEnvironment) -> None:
    found = departure(opened.plan, named_team(opened.plan, "research"), NAME, load_catalog())
    assert "sagemaker/jobs/research/" in str(found)
