"""The rules of cdk-preflight, which others wrote and held against AWS, find nothing in what this project emits."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from merged_text import merged_text
from preflight_rules import Deployed, evaluate
from write_goldens import GOLDEN, SUFFIX, environment_file, environments

sys.path.insert(0, str(Path(__file__).parents[1] / "property"))
import drawn
import synthesis

ROOT = Path(__file__).parents[2]
EXAMPLES = int(os.environ.get("NEURON_CLUSTER_EXAMPLES", "12"))
pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]


def shipped() -> dict[str, Deployed]:
    """The golden templates, each with the account and Region of its environment file."""
    found: dict[str, Deployed] = {}
    for name in environments():
        given = yaml.safe_load(merged_text(environment_file(name)))
        for path in sorted((GOLDEN / name).glob(f"*{SUFFIX}")):
            template = json.loads(path.read_text("utf-8"))
            found[path.name] = Deployed(template, given["region"], str(given["account"]))
    return found


def test_shipped_environments_violate_no_rule() -> None:
    assert evaluate(shipped()).violations == []


def test_a_template_that_aws_rejects_violates_its_rule() -> None:
    """The rules run: a finding here is what the other tests look for in vain."""
    address = {"Type": "AWS::EC2::VPC", "Properties": {"CidrBlock": "10.0.0.0/8"}}
    found = evaluate({"network": Deployed({"Resources": {"Network": address}}, "us-west-2", "111122223333")}).violations
    assert [(each.stack, each.rule, each.resource) for each in found] == [
        ("network", "pf-ec2-vpc-cidr-block-size", "Network")
    ]


def test_random_environments_violate_no_rule(cdk: Any) -> None:
    """All are drawn first: the engine of the rules starts once for them."""
    stacks: dict[str, Deployed] = {}

    @settings(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(environment=drawn.environments())
    def draw(environment: Any) -> None:
        with tempfile.TemporaryDirectory() as folder:
            plan, templates = synthesis.synthesized(environment.text, Path(folder))
        for name, template in templates.items():
            stacks[f"{len(stacks)} {name}"] = Deployed(template, plan.region, plan.account)

    draw()
    assert stacks
    assert evaluate(stacks).violations == []
