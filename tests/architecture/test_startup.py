"""`validate` starts without what it does not need. How fast it is, is a benchmark."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parents[2]
SCRIPT = """
import json, sys
from neuron_cluster.cli.main import main
statuses = []
for line in json.loads(sys.argv[1]):
    try:
        statuses.append(main(line))
    except SystemExit as end:
        statuses.append(end.code or 0)
print(json.dumps([statuses, sorted(sys.modules)]), file=sys.stderr)
"""


def modules_after(*lines: list[str]) -> tuple[list[int], set[str]]:
    """Exit statuses of command lines that one process runs, and what it has imported then."""
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps(lines)], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    statuses, modules = json.loads(ran.stderr.strip().splitlines()[-1])
    return statuses, {name.partition(".")[0] for name in modules}


HEAVY = {"aws_cdk", "jsii", "boto3", "botocore", "moto", "rich", "cfnlint"}
NEEDLESS = {"shutil", "bz2", "lzma", "pickle", "hmac", "random"}
"""Modules of Python: argparse, the width of the terminal and the kept rows of the catalog do without them, and pydantic
uses ``secrets``, which imports the last two, for no type of ours."""


def test_validate_and_explain_import_nothing_heavy() -> None:
    statuses, modules = modules_after(
        ["validate", "train-trn1"],
        ["validate", "train-trn1", "--format", "json"],
        ["validate", "no-such-name"],
        ["explain", "E3007", "--format", "json"],
    )
    assert statuses == [0, 0, 1, 0]
    assert modules & {*HEAVY, *NEEDLESS} == set()


def test_annotations_of_models_are_types() -> None:
    """As texts, pydantic and msgspec would compile and evaluate each: a fiftieth of `validate`."""
    written = {
        str(file.relative_to(PROJECT)): ast.parse(file.read_text(encoding="utf-8"))
        for folder in ("config", "providers/*/config", "schedulers/kubernetes/software/values")
        for file in sorted((PROJECT / "neuron_cluster").glob(f"{folder}/*.py"))
    }
    with_models = {file: tree for file, tree in written.items() if bases_in(tree) & {"ClosedModel", "ClosedValues"}}
    assert len(with_models) > 20
    assert [file for file, tree in with_models.items() if "__future__" in modules_in(tree)] == []


def bases_in(tree: ast.Module) -> set[str]:
    return {ast.unparse(base) for node in tree.body if isinstance(node, ast.ClassDef) for base in node.bases}


def modules_in(tree: ast.Module) -> set[str | None]:
    return {node.module for node in tree.body if isinstance(node, ast.ImportFrom)}


def test_help_imports_no_other_package() -> None:
    statuses, modules = modules_after(["--help"])
    assert statuses == [0]
    assert modules & {*HEAVY, "pydantic", "yaml"} == set()


def test_what_reads_no_account_imports_no_aws() -> None:
    statuses, modules = modules_after(["plan", "dev-inf2"], ["catalog", "regions"])
    assert statuses == [0, 0]
    assert modules & (HEAVY - {"rich"}) == set()


def test_checks_import_no_ec2_of_moto() -> None:
    """The local AWS imports it without its tables; imported before that, it reads them: 0.7 s of each start."""
    script = "import sys, neuron_cluster.local_checks.checks; sys.exit('moto.ec2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], cwd=PROJECT, check=False).returncode == 0


def test_a_reader_of_templates_does_not_load_the_server_of_the_local_aws() -> None:
    script = "import sys, local_aws.cloudformation.template; sys.exit('local_aws.server' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], cwd=PROJECT, check=False).returncode == 0
