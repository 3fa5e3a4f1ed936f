"""The folders of the compile cache, and the accounts of its pods."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


@pytest.mark.parametrize(
    ("environment", "edits", "folders"),
    [
        ("train-trn1", {}, {"trn1": "neuronx-cc-2.27.5334.0/trn1/lnc-default"}),
        ("train-trn2", {}, {"trn2": "neuronx-cc-2.27.5334.0/trn2/lnc-2"}),
        ("train-trn2", {"eks.node_groups.1.logical_nc_config": 1}, {"trn2": "neuronx-cc-2.27.5334.0/trn2/lnc-1"}),
        ("train-trn1", {"neuron.sdk": "2.33.1"}, {}),
        (
            "workstation",
            {"neuron.sdk": "2.33.0", "storage.checkpoint_bucket": {}},
            {"alice": "neuronx-cc-2.27.5334.0/inf2/lnc-default"},
        ),
    ],
)
def test_a_neuron_group_has_a_folder_by_compiler_target_and_lnc(
    plan_of: Callable[..., Any], environment: str, edits: dict[str, Any], folders: dict[str, str]
) -> None:
    plan = plan_of(environment, {"storage.compile_cache": {}, **edits})
    cache = plan.storage.compile_cache
    assert {each.group: each.folder for each in cache.compiled_for} == folders
    assert cache.prefix == "compile-cache/"


def test_the_first_namespace_writes_unless_the_file_names_another(plan_of: Callable[..., Any]) -> None:
    spaces = {"eks.namespaces": [{"name": "default", "service_accounts": ["compile-cache-reader"]}, {"name": "team"}]}
    reader, writer = "compile-cache-reader", "compile-cache-writer"
    for cache, expected in (
        ({}, {"default": (reader, writer), "team": (reader,)}),
        ({"writer_namespace": "team"}, {"default": (reader,), "team": (reader, writer)}),
    ):
        plan = plan_of("train-trn1", {"storage.compile_cache": cache, **spaces})
        assert {each.name: each.service_accounts for each in plan.kubernetes.namespaces} == expected
        roles = [(each.namespace, each.service_account) for each in plan.kubernetes.workload_roles]
        assert roles == [(name, account) for name, accounts in expected.items() for account in accounts]


def test_without_the_key_there_is_no_role_account_nor_rule(plan_of: Callable[..., Any]) -> None:
    plan = plan_of("train-trn1")
    assert (plan.kubernetes.workload_roles, plan.storage.compile_cache) == ((), None)
    assert "compile-cache/" not in {rule.prefix for rule in plan.storage.bucket.lifecycle_rules}
