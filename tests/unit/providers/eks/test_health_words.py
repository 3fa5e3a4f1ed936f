"""Health codes of EKS in words: each of the table is one of the API, and its command could be pasted."""

from __future__ import annotations

import functools
from datetime import UTC, datetime
from pathlib import Path

import botocore.session
import pytest
from hint_commands import command_error

from neuron_cluster.aws.eks_state import HealthIssue
from neuron_cluster.aws.session import AwsTarget
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.eks_health_code import EksHealthCode
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.pipeline import check_environment
from neuron_cluster.protocol.status import HeldResources, StatusQuery
from neuron_cluster.providers.eks.health_words import ADDON, CLUSTER, NODE_GROUP, issue_command, issue_words

SHAPES = {NODE_GROUP: "NodegroupIssueCode", ADDON: "AddonIssueCode", CLUSTER: "ClusterIssueCode"}
ROWS = load_catalog().eks_health_codes.rows
FILE = Path(__file__).parents[4] / "environments" / "dev-inf2.yaml"


@functools.cache
def query() -> StatusQuery:
    plan = check_environment(FILE).require_plan()
    access = Destination(AwsTarget(plan.region), plan.account)
    return StatusQuery(plan, access, load_catalog(), datetime(2026, 11, 29, tzinfo=UTC), HeldResources({}), "dev-inf2")


def command(kind: str, *issues: HealthIssue) -> str:
    return issue_command(query(), kind, issues, cluster="dev", name="pool-1", otherwise="aws the next of the line")


def test_each_row_is_a_code_of_the_api() -> None:
    """EKS has further codes, which are printed as EKS words them."""
    model = botocore.session.get_session().get_service_model("eks")
    known = {f"{kind} {code}" for kind, shape in SHAPES.items() for code in model.shape_for(shape).enum}
    assert {row.name for row in ROWS} <= known


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_each_code_has_a_meaning_a_step_and_a_command_that_could_be_pasted(row: EksHealthCode) -> None:
    kind, _, code = row.name.partition(" ")
    issue = HealthIssue(code, "as EKS words it", ("id-1", "id-2"))
    assert issue_words(query(), kind, [issue]) == f"{row.meaning} ({code}: as EKS words it). Do: {row.step}"
    found = command(kind, issue)
    assert (found == "aws the next of the line") == (not row.operation)
    assert not row.operation or command_error(found) == ""
    assert "{" not in found.replace("{}", "")


@pytest.mark.parametrize("kind", SHAPES)
def test_a_code_without_a_row_is_shown_as_eks_words_it(kind: str) -> None:
    issue = HealthIssue("CodeOfTomorrow", "something new", ("id-1",))
    assert issue_words(query(), kind, [issue]) == "CodeOfTomorrow: something new"
    assert command(kind, issue) == "aws the next of the line"


def test_the_command_is_of_the_first_code_that_has_one() -> None:
    quota = HealthIssue("InstanceLimitExceeded", "no more", ("asg",))
    addresses = HealthIssue("InsufficientFreeAddresses", "none left", ("subnet-1", "subnet-2"))
    assert """--subnet-ids '["subnet-1", "subnet-2"]'""" in command(NODE_GROUP, quota, addresses)


def test_a_command_about_a_resource_needs_one_that_eks_names() -> None:
    assert command(CLUSTER, HealthIssue("KmsKeyDisabled", "disabled")) == "aws the next of the line"
    named = command(CLUSTER, HealthIssue("KmsKeyDisabled", "disabled", ("key-1",)))
    assert named == "aws kms enable-key --region us-west-2 --key-id key-1"


def test_the_same_code_differs_by_the_kind_of_object() -> None:
    issue = HealthIssue("InsufficientFreeAddresses", "none left")
    assert issue_words(query(), NODE_GROUP, [issue]) != issue_words(query(), CLUSTER, [issue])
