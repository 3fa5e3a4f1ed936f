"""The CDK app imports in two references. A module in the hands of both could be seen half made."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCRIPT = """
import importlib, json, sys
import jsii
before = {*sys.modules}
for name in sys.argv[1:]:
    importlib.import_module(name)
print(json.dumps(sorted({*sys.modules} - before)))
"""


def imported_after_jsii(*names: str) -> set[str]:
    ran = subprocess.run([sys.executable, "-c", SCRIPT, *names], cwd=ROOT, capture_output=True, text=True, check=True)
    return {*json.loads(ran.stdout)}


def test_the_thread_that_starts_node_imports_nothing_that_the_other_one_does(cdk: object) -> None:
    """``cdk`` names the Node.js that the process starts."""
    tree = ast.parse((ROOT / "neuron_cluster" / "cdk_app.py").read_text(encoding="utf-8"))
    joined = next(place for place, node in enumerate(tree.body) if ast.unparse(node) == "node_starts.join()")
    named = {node.module or "" for node in tree.body[:joined] if isinstance(node, ast.ImportFrom)}
    ours = imported_after_jsii(*sorted(name for name in named if name.startswith("neuron_cluster.")))
    started = imported_after_jsii("constructs")
    assert {"neuron_cluster.pipeline", "pydantic"} <= ours
    assert {"constructs", "constructs._jsii"} <= started
    assert ours & started == set()
