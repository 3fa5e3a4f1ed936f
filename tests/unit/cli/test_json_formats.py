"""Output of commands with `--format json`, and the schemas that describe it.

Every document of the fixture `command` is held against its schema; here are those that have every property.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from command_parsers import commands
from jsonschema import Draft202012Validator

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.cli.json_schemas import described_commands
from neuron_cluster.cli.plan_time import time_as_data
from neuron_cluster.deploy.timed_assembly import expected_time_of
from neuron_cluster.timing.timed_stack import timed_stack
from tests.every_run import in_every_run
from tests.existing_vpc import ALL_EXISTING, write_lock_of
from tests.five_teams import team, written_with_teams
from tests.json_outputs import FORMAT, accepted_mutations, schema, unseen

from .conftest import PROJECT, Command


def test_every_command_with_json_output_has_a_schema() -> None:
    with_json = {command.name for command in commands() if "json" in command.formats}
    assert set(described_commands()) == with_json, "a file in tools/json_formats/, then {RUN}"


OF_EVERY_SHAPE = ("catalog", "plan", "access", "capacity offers", "expand", "schedule")
"""Their schemas have each kind of type that any schema has."""


@pytest.mark.parametrize("name", in_every_run(described_commands(), OF_EVERY_SHAPE))
def test_a_schema_is_valid(name: str) -> None:
    Draft202012Validator.check_schema(schema(name))


@pytest.mark.parametrize("name", described_commands())
def test_a_schema_describes_every_property(name: str) -> None:
    for record, each in schema(name)["$defs"].items():
        assert each["additionalProperties"] is False, record
        assert set(each["required"]) <= set(each["properties"]), record
        assert [key for key, value in each["properties"].items() if not value["description"]] == [], record


def test_the_schema_of_a_command_is_printed(command: Command) -> None:
    ran = command("explain", "--json-schema", "plan")
    assert ran.status == 0
    assert ran.document == schema("plan")


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["recomend"], "did you mean recommend?"),
        (["completion"], "one of "),
        (["plan", "E3007"], "did you mean plan?"),
    ],
)
def test_a_command_without_json_output_has_no_schema(command: Command, arguments: Sequence[str], hint: str) -> None:
    ran = command("explain", "--json-schema", *arguments)
    assert ran.status == 1
    assert f"error: '{' '.join(arguments)}' is not a command with JSON output" in ran.err
    assert hint in ran.err


def test_a_topic_beside_a_schema_is_an_error(command: Command) -> None:
    ran = command("explain", "E3007", "--json-schema", "plan", *FORMAT)
    assert ran.status == 1
    assert ran.document["findings"][0]["hint"] == "leave one out: `neuron-cluster explain --json-schema plan`"


def documents(command: Command, *lines: Sequence[str]) -> list[Any]:
    """Returns the JSON output of these command lines."""
    return [command(*line, *FORMAT).document for line in lines]


def edited(file: Path, base: str, edits: dict[str, Any]) -> Path:
    """An environment file: a shipped one with edits, by dotted key paths; the value None removes a key."""
    tree = yaml.safe_load((PROJECT / "environments" / f"{base}.yaml").read_text())
    for path, value in edits.items():
        place: Any = tree
        *parts, last = (int(part) if part.isdigit() else part for part in path.split("."))
        for part in parts:
            place = place[part]
        if isinstance(place, list) and last == len(place):
            place.append(value)
        place[last] = value
        if value is None:
            del place[last]
    file.write_text(yaml.safe_dump(tree))
    return file


def test_every_property_of_the_findings_is_printed(command: Command, tmp_path: Path) -> None:
    base = edited(tmp_path / "base.yaml", "train-trn1", {"eks.versoin": 1})
    file = tmp_path / "train-trn1.yaml"
    file.write_text(f"extends: {base.name}\n")
    (found,) = documents(command, ("validate", str(file)))
    printed = {key for finding in found["findings"] for key in finding}
    assert printed == set(schema("validate")["$defs"]["Finding"]["properties"])
    assert accepted_mutations("validate", found) == []


def existing(folder: Path) -> Path:
    """Where everything that can exist does, with the lock that it requires."""
    file = edited(folder / "train-trn1.yaml", "train-trn1", ALL_EXISTING)
    write_lock_of(file, yaml.safe_load(file.read_text()))
    return file


TEAM = team(
    "research",
    operators=["arn:aws:iam::111122223333:role/operator"],
    budget={"usd_month": 1000, "notify": ["owner@example.com"]},
)
PRIVATE = {
    "network.nat": "none",
    "network.secondary_cidrs": [{"cidr": "100.64.0.0/16", "availability_zone": "usw2-az4"}],
    "eks.image_cache": True,
}


HYPERPOD = {
    "hyperpod.groups.0.extra_volume": {"size_gib": 500},
    "hyperpod.groups.0.software_updates": {"schedule": "cron(0 2 ? * SUN *)"},
}
HYPERPOD_SLURM = {
    "hyperpod.groups.0.extra_volume": {"size_gib": 500},
    "hyperpod.groups.0.team": "research",
    "hyperpod.groups.0.capacity": {
        "kind": "training_plan",
        "plan_arn": "arn:aws:sagemaker:us-west-2:111122223333:training-plan/trn1-week-49",
    },
    "storage.checkpoint_bucket": {},
    "storage.compile_cache": {"expire_days": 30},
}
TRAINING = {
    "storage.lustre": {"availability_zone": "usw2-az4", "capacity_gib": 1200},
    "storage.compile_cache": None,
    "sagemaker_training.jobs.0.team": "research",
    "sagemaker_training.jobs.0.program": ["train.py"],
    "sagemaker_training.jobs.0.arguments": ["--steps", "9"],
    "sagemaker_training.jobs.0.hyperparameters": {"steps": "9"},
    "sagemaker_training.jobs.0.environment": {"LOG_LEVEL": "debug"},
    "sagemaker_training.jobs.0.capacity": {"kind": "spot", "max_wait_hours": 72},
    "sagemaker_training.jobs.0.channels": [
        {"name": "tokens", "s3": "s3://tokens/train/"},
        {"name": "text", "lustre": "/text"},
    ],
    "sagemaker_training.jobs.1": {
        "name": "pretrain",
        "image": "763104351884.dkr.ecr.us-west-2.amazonaws.com/trainer:1",
        "instance_type": "ml.trn2.48xlarge",
        "capacity": {
            "kind": "training_plan",
            "plan_arn": "arn:aws:sagemaker:us-west-2:111122223333:training-plan/trn2-week-49",
        },
    },
}
TIERING = {
    "storage.lustre.storage_type": "intelligent_tiering",
    **{f"storage.lustre.{key}": None for key in ("capacity_gib", "throughput_mbps_per_tib", "sync")},
    "storage.checkpoints": None,
}


def time_of_train() -> Any:
    """The document of `plan --time`, from a template that is synthesized already."""
    golden = PROJECT / "tests" / "golden" / "train-trn1" / "train-trn1-cluster.template.json"
    template = json.loads(golden.read_text(encoding="utf-8"))
    stack = timed_stack("train-trn1-cluster", (), template, load_catalog())
    return time_as_data(expected_time_of([stack]), ())


def test_every_property_of_a_plan_is_printed(command: Command, tmp_path: Path) -> None:
    for name in ("existing", "teams", "private", "tiering", "hyperpod", "hyperpod-slurm", "training"):
        (tmp_path / name).mkdir()
    files = [
        existing(tmp_path / "existing"),
        written_with_teams(tmp_path / "teams", [TEAM], **{"eks.node_groups.1.team": "research"}),
        edited(tmp_path / "private" / "train-trn1.yaml", "train-trn1", PRIVATE),
        edited(tmp_path / "tiering" / "train-trn1.yaml", "train-trn1", TIERING),
        edited(tmp_path / "hyperpod" / "hyperpod-trn2.yaml", "hyperpod-trn2", HYPERPOD),
        PROJECT / "tests" / "fixtures" / "environments" / "storage-kinds.yaml",
        PROJECT / "tests" / "fixtures" / "environments" / "slurm-storage.yaml",
        "train-trn2",
        "slurm-trn1",
        edited(tmp_path / "hyperpod-slurm" / "hyperpod-slurm-trn1.yaml", "hyperpod-slurm-trn1", HYPERPOD_SLURM),
        "hyperpod-teams",
        edited(tmp_path / "training" / "sagemaker-finetune.yaml", "sagemaker-finetune", TRAINING),
    ]
    found = documents(command, *(("plan", str(file)) for file in files), ("plan", "train-trn2", "--scale"))
    time = time_of_train()
    found += [time, {**found[0], "time": time["time"]}]
    assert unseen("plan", found) == []
    assert [change for each in found for change in accepted_mutations("plan", each)] == []


def test_every_property_of_a_recommendation_is_printed(command: Command) -> None:
    training = ("--parameters", "70B", "--task", "train", "--sequence-length", "8192", "--batch", "1024")
    found = documents(command, ("recommend", *training), ("recommend", "--model", "llama-3.1-8b"))
    assert unseen("recommend", found) == []
    assert accepted_mutations("recommend", found[0]) == []


def test_the_files_are_listed_as_their_schema_describes_them(command: Command) -> None:
    (found,) = documents(command, ("list", "--files"))
    assert accepted_mutations("list", found) == []
