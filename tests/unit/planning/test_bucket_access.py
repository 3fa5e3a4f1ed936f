"""Prefixes and service accounts of the roles of namespaces."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.providers.eks.report.cluster_page import cluster_tables
from neuron_cluster.report.marks import Marks

EDITS = {
    "eks.namespaces": [
        {"name": "default", "bucket_access": [{"service_account": "default", "access": "write"}]},
        {
            "name": "research",
            "service_accounts": ["trainer"],
            "bucket_access": [{"service_account": "trainer", "job": "llama"}, {"service_account": "reader"}],
        },
    ]
}


def test_accounts_are_created_once_and_default_exists(plan_of: Callable[..., Any]) -> None:
    plan = plan_of("train-trn1", EDITS)
    accounts = {each.name: each.service_accounts for each in plan.kubernetes.namespaces}
    assert accounts == {"default": (), "research": ("trainer", "reader")}
    roles = [(each.namespace, each.service_account) for each in plan.kubernetes.workload_roles]
    assert roles == [("default", "default"), ("research", "trainer"), ("research", "reader")]


def test_a_role_is_in_the_plan_with_its_prefix(plan_of: Callable[..., Any]) -> None:
    cluster = plan_of("train-trn1", EDITS).kubernetes
    written = frozenset([("eks", "namespaces", 0, "bucket_access", 0, "access")])
    rows = dict(cluster_tables(cluster, Marks(written), load_catalog())[0].rows)
    assert {name: text for name, text in rows.items() if name.startswith("role of ")} == {
        "role of default/default": "writes teams/default/ of the bucket",
        "role of research/trainer": "reads teams/research/checkpoints/llama/ of the bucket *",
        "role of research/reader": "reads teams/research/ of the bucket *",
    }


def test_without_the_key_there_is_no_role(plan_of: Callable[..., Any]) -> None:
    assert plan_of("train-trn1").kubernetes.workload_roles == ()
