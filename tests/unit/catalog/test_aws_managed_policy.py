"""Policies of AWS: the rows are what the documents have of S3 and KMS, and every policy in use has a row."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from moto.iam.aws_managed_policies import aws_managed_policies_data

from neuron_cluster.catalog.aws_managed_policy import DATA_SERVICES, AwsManagedPolicy
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.source_data import CatalogError, read_rows

CATALOG = load_catalog()

GOLDEN = Path(__file__).parents[2] / "golden"
DOCUMENTS = json.loads(aws_managed_policies_data)
OF_FSX = "AWSServiceRoleForFSxS3Access"
"""Inside of a role: there is no managed policy of this name."""


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def data_actions(document: dict[str, Any]) -> list[tuple[str, list[str]]]:
    """Actions of S3 and KMS, each with its resources; a wildcard before the colon counts as both."""
    statements = listed(document["Statement"])
    assert all("NotAction" not in each for each in statements)
    return [
        (action, listed(each["Resource"]))
        for each in statements
        for action in listed(each["Action"])
        if action.lower().startswith((*DATA_SERVICES, "*", "?"))
    ]


@pytest.mark.parametrize("name", [name for name in CATALOG.aws_managed_policies.names if name != OF_FSX])
def test_rows_have_all_actions_of_s3_and_kms(name: str) -> None:
    row, recorded = CATALOG.aws_managed_policies[name], DOCUMENTS[name.rpartition("/")[2]]
    found = [(action, list(each.resources)) for each in row.statements for action in each.actions]
    assert found == data_actions(recorded["Document"])
    assert row.version == recorded["DefaultVersionId"]
    assert f"/{name.rpartition('/')[0]}/".replace("//", "/") == recorded["Path"]


def test_every_policy_of_the_catalog_and_of_the_goldens_has_a_row() -> None:
    named = {policy for row in CATALOG.managed_addons for policy in row.managed_policies}
    named |= {policy for row in CATALOG.eks_roles for policy in row.managed_policies}
    for file in GOLDEN.rglob("*.template.json"):
        named |= set(re.findall(r":iam::aws:policy/([\w/-]+)", file.read_text()))
    assert named <= set(CATALOG.aws_managed_policies.names)


def test_a_row_with_another_service_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "rows.yaml"
    file.write_text(
        "- name: P\n  source: s\n  checked_on: 2026-11-26\n  version: v1\n"
        '  statements: [{actions: [ec2:RunInstances], resources: ["*"]}]\n'
    )
    with pytest.raises(CatalogError, match="only actions of S3 and KMS"):
        read_rows(file, AwsManagedPolicy)
