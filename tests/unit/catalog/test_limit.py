"""Limits: which names a service refuses, and what it says about them."""

import re

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from tests.every_case import every_case

CATALOG = load_catalog()


@every_case("row", CATALOG.limits.rows, ids=lambda row: row.name)
def test_every_pattern_is_a_regular_expression_and_for_text(row) -> None:
    if row.pattern is not None:
        assert re.compile(row.pattern)
        assert row.unit == "characters"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("eks_cluster_name", "train-trn1"),
        ("eks_node_group_name", "workers-0a1b2c3d"),
        ("s3_bucket_name", "train-trn1-checkpoints-123456789012"),
        ("launch_template_name", "train/workers"),
        ("iam_role_name", "train-trn1-node"),
        ("cloudformation_stack_name", "train-trn1-network"),
        ("kubernetes_label_value", ""),
        ("kubernetes_label_prefix", "aws.amazon.com"),
        ("tag_key", "cost-centre"),
        ("tag_value", "Zürich / research"),
    ],
)
def test_allowed_names(name: str, text: str) -> None:
    assert CATALOG.limits[name].problem_with(text) is None


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("eks_cluster_name", "a" * 101, "is 101 characters long, at most 100 are allowed"),
        ("eks_cluster_name", "-a", "must be letters, digits, - and _, beginning with a letter or digit"),
        ("eks_cluster_name", "", "is empty, at least 1 character is needed"),
        ("eks_cluster_name", "a\n", "must be letters"),
        ("eks_node_group_name", "a" * 64, "at most 63"),
        ("s3_bucket_name", "Checkpoints", "must be lower-case"),
        ("s3_bucket_name", "a..b", "must be lower-case"),
        ("s3_bucket_name", "192.168.0.1", "must be lower-case"),
        ("s3_bucket_name", "logs--x-s3", "must be lower-case"),
        ("launch_template_name", "ab", "at least 3"),
        ("iam_role_name", "rôle", "must be letters"),
        ("cloudformation_stack_name", "1st", "must be letters"),
        ("kubernetes_label_value", "-", "must be letters"),
        ("tag_key", "AWS:team", "must not begin with aws:"),
        ("tag_value", "a" * 257, "at most 256"),
    ],
)
def test_refused_names(name: str, text: str, problem: str) -> None:
    assert problem in (CATALOG.limits[name].problem_with(text) or "")


def test_a_default_quota_is_marked_as_adjustable() -> None:
    assert CATALOG.limits["security_groups_per_interface"].adjustable
    assert not CATALOG.limits["subnet_reserved_addresses"].adjustable


def test_an_unknown_limit_is_an_error_of_the_programmer() -> None:
    with pytest.raises(LookupError, match="eks_cluster_name"):
        CATALOG.limits["eks_cluster_nam"]
