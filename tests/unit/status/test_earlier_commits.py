"""`status` of environments that an earlier commit deployed, by the file of that day."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from neuron_cluster.aws.cloudformation import create_stack
from tests.golden_stacks import without_charts
from tests.integ.deployed_before import environments_of, unpacked

from .conftest import Deployed, Read

EARLIER = "84d60602"
OTHERS = ("existing-vpc", "research-teams")
"""Not deployed here: a VPC that exists before, and a stack of charts only."""


@pytest.mark.slow
@pytest.mark.exhaustive
@pytest.mark.parametrize("name", [name for name in environments_of(EARLIER) if name not in OTHERS])
def test_an_environment_of_an_earlier_commit_is_read(
    name: str, deployed: Deployed, read: Read, tmp_path: Path, project: Path
) -> None:
    """Each part is found: settings that the file has since are the only difference."""
    old = unpacked(EARLIER, name, tmp_path)
    (project / "environments" / f"{name}.yaml").write_text((old / f"{name}.yaml").read_text())
    environment = deployed(name, ())
    for stack_key in environment.plan.stacks:
        stack = environment.plan.stack_name(stack_key)
        (file,) = old.rglob(f"{stack}.template.json")
        create_stack(environment.target, stack, json.dumps(without_charts(json.loads(file.read_text()))), {})
    status = read(name)
    assert [line for line in status.others if line.section != "Capacity"] == []
