"""A file system of commit 9b36666, which knew no metadata configuration: kept, with a warning; none is added to it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from local_aws.server import LocalAws
from neuron_cluster.aws.cloudformation import resources
from neuron_cluster.aws.session import LocalTarget, client
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.local_preparation import bootstrap_if_needed

from .deployed_before import create_stack

pytestmark = pytest.mark.slow

DEPLOYED = json.loads(
    (Path(__file__).parents[1] / "fixtures" / "upgrades" / "lustre_at_9b36666.json").read_text(encoding="utf-8")
)
"""The file, and the templates that the commit made of it."""
STORAGE = "older-storage"


def file_system(target: LocalTarget) -> Any:
    (row,) = client(target, "fsx").describe_file_systems()["FileSystems"]
    return row


def physical_ids(target: LocalTarget) -> set[tuple[str, str]]:
    return {(each.logical_id, each.physical_id) for each in resources(target, STORAGE)}


@pytest.mark.exhaustive
def test_it_deploys_unchanged_and_automatic_metadata_is_rejected_with_move_steps(
    project: Path, local_aws: LocalAws, command: Callable[..., Any], target: LocalTarget
) -> None:
    bootstrap_if_needed(project, local_destination(local_aws.endpoint, target.account, target.region), lambda _: None)
    for name, template in DEPLOYED["stacks"].items():
        create_stack(target, name, json.dumps(template), {}, is_protected=False)
    before, ids = file_system(target), physical_ids(target)
    file = project / "environments" / "older.yaml"
    file.write_text(DEPLOYED["file"])

    ran = command("deploy", "--local", "older")
    assert (ran.status, "W4010" in ran.ids) == (0, True), ran.document
    assert file_system(target) == before
    assert physical_ids(target) >= ids, "an alias of the key is new"

    file.write_text(DEPLOYED["file"].replace("capacity_gib: 2400", "capacity_gib: 2400, metadata: automatic"))
    events = client(target, "cloudformation").describe_stack_events(StackName=STORAGE)["StackEvents"]
    ran = command("deploy", "--local", "older")
    (error,) = [finding for finding in ran.document["findings"] if finding["severity"] == "error"]
    assert (ran.status, error["id"], error["path"]) == (1, "E9031", "storage.lustre")
    assert "FSx cannot add one later" in error["message"]
    for number in range(1, 7):
        assert f"{number}. " in error["hint"]
    assert "(at most 2.6 h for 2.06 TB)" in error["hint"]
    assert client(target, "cloudformation").describe_stack_events(StackName=STORAGE)["StackEvents"] == events
    assert file_system(target) == before
