"""The matrix of templates, for tests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from neuron_cluster.access.linked_policies import LinkedPolicies
from neuron_cluster.access.matrix import AccessMatrix, access_matrix
from neuron_cluster.catalog.catalog import load_catalog
from tests.conftest import FOLDERS

ROOT = Path(__file__).parents[3]
GOLDEN = ROOT / "tests" / "golden"
SUFFIX = ".template.json"
PREFIXES = ("checkpoints/", "compile-cache/", "teams/default/", "")


def golden_templates(environment: str) -> dict[str, Any]:
    """Returns templates by stack name. They equal synthesized ones, but for the hashes of assets (``tests/golden``)."""
    files = (GOLDEN / environment).glob(f"*{SUFFIX}")
    return {file.name.removesuffix(SUFFIX): json.loads(file.read_text()) for file in files}


def matrix_of(
    templates: Mapping[str, Any], prefixes: tuple[str, ...] = PREFIXES, *, region: str = "us-west-2"
) -> AccessMatrix:
    return access_matrix(
        LinkedPolicies(templates, partition="aws", region=region, account="111122223333"), prefixes, load_catalog()
    )


def golden_matrix(environment: str) -> AccessMatrix:
    file = next(path for each in FOLDERS if (path := each / f"{environment}.yaml").is_file())
    return matrix_of(golden_templates(environment), region=yaml.safe_load(file.read_text())["region"])


def allowed_in(matrix: AccessMatrix) -> dict[str, dict[str, tuple[str | None, ...]]]:
    """Logical id of the role, action, and the prefixes for which it is allowed."""
    found: dict[str, dict[str, tuple[str | None, ...]]] = {}
    for cell in matrix.cells:
        if cell.decision.is_allowed:
            of_role = found.setdefault(cell.role.logical_id, {})
            of_role[cell.action] = (*of_role.get(cell.action, ()), cell.prefix)
    return found
