"""A stack of each service: created, updated, read by boto3, deleted."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import jmespath
import pytest
import yaml
from botocore import xform_name

from local_aws.cloudformation.short_form import ShortFormLoader

STACKS = Path(__file__).parents[3] / "fixtures" / "local_aws" / "stacks"
TEAMS = ("first", "second")
"""Values of ``{team}`` in the template: created with the one, updated to the other."""


def parts(path: Path, team: str) -> tuple[dict[str, Any], list[Any], list[Any]]:
    """The template, what boto3 then reads, and what it reads after the deletion."""
    content = yaml.load(path.read_text().replace("{team}", team), ShortFormLoader)  # noqa: S506 - a safe loader
    return {"Resources": content["Resources"]}, content["Reads"], content["Gone"]


def reads(bench: Any, calls: Sequence[Mapping[str, Any]], ids: Mapping[str, str]) -> Iterator[tuple[Any, Any]]:
    """Yields the result of each call, and the expected one."""
    for each in calls:
        service, _, operation = each["call"].partition(":")
        text = json.dumps(each.get("parameters", {}))
        for logical_id, physical_id in ids.items():
            text = text.replace(f"{{{logical_id}}}", physical_id)
        answer = getattr(bench.client(service), xform_name(operation))(**json.loads(text))
        yield jmespath.search(each["path"], answer), each["result"]


@pytest.mark.parametrize("path", sorted(STACKS.glob("*.yaml")), ids=lambda path: path.stem)
def test_a_stack_is_created_updated_and_deleted(bench: Any, path: Path) -> None:
    cloudformation = bench.client("cloudformation")
    physical_ids: list[Mapping[str, str]] = []
    for team, act in zip(TEAMS, (cloudformation.create_stack, cloudformation.update_stack), strict=True):
        template, calls, _ = parts(path, team)
        act(StackName="one", TemplateBody=json.dumps(template), Capabilities=["CAPABILITY_IAM"])
        (stack,) = cloudformation.describe_stacks(StackName="one")["Stacks"]
        events = cloudformation.describe_stack_events(StackName="one")["StackEvents"]
        failed = [event.get("ResourceStatusReason") for event in events if "FAILED" in event["ResourceStatus"]]
        assert (stack["StackStatus"].endswith("E_COMPLETE"), failed) == (True, [])
        rows = cloudformation.describe_stack_resources(StackName="one")["StackResources"]
        physical_ids.append({row["LogicalResourceId"]: row["PhysicalResourceId"] for row in rows})
        assert [(found, wanted) for found, wanted in reads(bench, calls, physical_ids[-1]) if found != wanted] == []
    assert physical_ids[0] == physical_ids[1], "updated in place"
    cloudformation.delete_stack(StackName="one")
    *_, gone = parts(path, "")
    assert [(found, wanted) for found, wanted in reads(bench, gone, {}) if found != wanted] == []
