"""A name of a cluster that several rooms write stands in one place."""

from __future__ import annotations

import ast
from pathlib import Path

from neuron_cluster import kubernetes_names
from neuron_cluster.ecr_host import PRIVATE_ECR

ROOT = Path(__file__).parents[2]
HOMES = ("kubernetes_names.py", "ecr_host.py")


def test_no_other_module_spells_a_shared_name_out() -> None:
    """``default`` is a word of its own in many places; what has a domain is not."""
    shared = {
        value for name, value in vars(kubernetes_names).items() if name.isupper() and ("/" in value or "." in value)
    }
    assert len(shared) >= 6
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.value}"
        for folder in ("neuron_cluster", "stacks")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if path.name not in HOMES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if node.value in shared or node.value.startswith(PRIVATE_ECR)
    ]
    assert found == []
