"""A name of a cluster that several packages write stands in one place."""

from __future__ import annotations

import ast
from pathlib import Path

from local_kubernetes.model import names
from neuron_cluster.catalog.ecr_host import PRIVATE_ECR

from .parsed import nodes

ROOT = Path(__file__).parents[2]
HOMES = (Path("local_kubernetes/model/names.py"), Path("neuron_cluster/catalog/ecr_host.py"))


def test_no_other_module_spells_a_shared_name_out() -> None:
    """``default`` is a word of its own in many places; what has a domain is not."""
    texts = [value for name, value in vars(names).items() if name.isupper() and isinstance(value, str)]
    shared = {value for value in texts if "/" in value or "." in value}
    assert len(shared) >= 6
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.value}"
        for folder in ("neuron_cluster", "local_aws", "local_kubernetes", "stacks")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if path.relative_to(ROOT) not in HOMES
        for node in nodes(path)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if node.value in shared or node.value.startswith(PRIVATE_ECR)
    ]
    assert found == []
