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
from preflight_rules import Deployed, Violation, evaluate
from write_goldens import GOLDEN, SUFFIX, environment_file, environments

sys.path.insert(0, str(Path(__file__).parents[1] / "property"))
import drawn
import slurm_places
import synthesis

ROOT = Path(__file__).parents[2]
EXAMPLES = int(os.environ.get("NEURON_CLUSTER_EXAMPLES", "12"))
NOT_FOLLOWED = {("pf-ec2-vpce-gateway-service", '"com.amazonaws.{region}.s3express"')}
"""Rules that are wrong about a value, each with what its message has: none is followed there.

A directory bucket of S3 is reached by a gateway endpoint of its own, which this release of cdk-preflight does not know:
https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-express-tutorial-endpoints.html (2026-11-28)
"""
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


def violations(stacks: dict[str, Deployed]) -> tuple[list[Violation], set[tuple[str, str]]]:
    """Returns violations of rules that are followed, and which rows of ``NOT_FOLLOWED`` had one."""
    followed: list[Violation] = []
    used: set[tuple[str, str]] = set()
    for each in evaluate(stacks).violations:
        region = stacks[each.stack].region
        rows = {row for row in NOT_FOLLOWED if row[0] == each.rule and row[1].format(region=region) in each.message}
        used |= rows
        if not rows:
            followed.append(each)
    return followed, used


def test_shipped_environments_violate_no_rule() -> None:
    """A row that no template needs any more is dropped from the table."""
    assert violations(shipped()) == ([], NOT_FOLLOWED)


def test_a_service_without_a_gateway_violates_its_rule() -> None:
    """The table excuses one service, not the rule."""
    endpoint = {
        "Type": "AWS::EC2::VPCEndpoint",
        "Properties": {"VpcId": "vpc-1", "ServiceName": "com.amazonaws.us-west-2.ec2", "RouteTableIds": ["rtb-1"]},
    }
    found, used = violations({"network": Deployed({"Resources": {"Ec2": endpoint}}, "us-west-2", "111122223333")})
    assert ([each.rule for each in found], used) == (["pf-ec2-vpce-gateway-service"], set())


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

    for strategy in (drawn.environments(), slurm_places.slurm_environments()):

        @settings(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
        @given(environment=strategy)
        def draw(environment: Any) -> None:
            with tempfile.TemporaryDirectory() as folder:
                plan, templates = synthesis.synthesized(environment.text, Path(folder))
            for name, template in templates.items():
                stacks[f"{len(stacks)} {name}"] = Deployed(template, plan.region, plan.account)

        draw()
    assert stacks
    assert violations(stacks)[0] == []
