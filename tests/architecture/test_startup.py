"""`validate` starts without what it does not need. How fast it is, is a benchmark."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
SCRIPT = """
import json, sys
from neuron_cluster.cli.main import main
try:
    status = main(sys.argv[1:])
except SystemExit as end:
    status = end.code
print(json.dumps([status, sorted(sys.modules)]), file=sys.stderr)
"""


def modules_after(*arguments: str) -> tuple[int, set[str]]:
    ran = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-c", SCRIPT, *arguments], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    status, modules = json.loads(ran.stderr.strip().splitlines()[-1])
    return status or 0, {name.partition(".")[0] for name in modules}


HEAVY = {"aws_cdk", "jsii", "boto3", "botocore", "moto", "rich", "cfnlint"}


@pytest.mark.parametrize(
    "arguments",
    [["validate", "train-trn1"], ["validate", "train-trn1", "--format", "json"], ["validate", "no-such-name"]],
)
def test_validate_imports_nothing_heavy(arguments: list[str]) -> None:
    _, modules = modules_after(*arguments)
    assert modules & HEAVY == set()


def test_help_imports_no_room_at_all() -> None:
    status, modules = modules_after("--help")
    assert status == 0
    assert modules & {*HEAVY, "pydantic", "yaml"} == set()


@pytest.mark.parametrize("arguments", [["plan", "dev-inf2"], ["catalog", "regions"]])
def test_what_reads_no_account_imports_no_aws(arguments: list[str]) -> None:
    status, modules = modules_after(*arguments)
    assert status == 0
    assert modules & (HEAVY - {"rich"}) == set()
