"""Writes catalog/data/iam_actions.yaml and service_principals_recorded.yaml from what installed packages record.

cfn-lint ships AWS's list of actions by service, moto the policies that AWS manages, which name the principals of
AWS's services. Both are development dependencies with pinned versions; run this after raising one of them.
"""

from __future__ import annotations

import datetime as dt
import importlib.metadata
import json
import re
import sys
import textwrap
from pathlib import Path

from registry_schemas import data_file

DATA = Path(__file__).parents[1] / "neuron_cluster" / "catalog" / "data"
WIDTH = 118
SERVICES = (
    "acm",
    "autoscaling",
    "budgets",
    "cloudformation",
    "cloudwatch",
    "ec2",
    "ec2messages",
    "ecr",
    "eks",
    "eks-auth",
    "elasticfilesystem",
    "elasticloadbalancing",
    "events",
    "fsx",
    "iam",
    "imagebuilder",
    "kms",
    "lambda",
    "logs",
    "pcs",
    "s3",
    "s3express",
    "s3files",
    "sagemaker",
    "servicequotas",
    "sns",
    "ssm",
    "ssmmessages",
    "sts",
)
"""Services that a template of ours names, or is about to: a test compares them with the goldens."""
PRINCIPAL = re.compile(r'"([a-z0-9.-]+\.amazonaws\.com)"')


def main() -> int:
    today = dt.datetime.now(dt.UTC).date()
    for name, text in (
        ("iam_actions.yaml", iam_actions(today)),
        ("service_principals_recorded.yaml", service_principals(today)),
    ):
        (DATA / name).write_text(text, encoding="utf-8")
    return 0


def iam_actions(checked_on: dt.date) -> str:
    """The file of the actions."""
    specification = data_file("AdditionalSpecs", "Policies.json")
    services = json.loads(specification.read_text(encoding="utf-8"))
    source = f"cfn-lint {importlib.metadata.version('cfn-lint')}: data/AdditionalSpecs/Policies.json"
    head = (
        "# IAM actions by service prefix, in lower case; without_resources: those that take no resource but *.\n"
        "# Written by tools/refresh_iam_data.py.\n"
    )
    rows = [_service(name, source, checked_on, services[name]["Actions"]) for name in SERVICES]
    return head + "".join(rows)


def service_principals(checked_on: dt.date) -> str:
    """The file of the principals that AWS's own policies name."""
    from moto.iam.aws_managed_policies import aws_managed_policies_data

    found = sorted(set(PRINCIPAL.findall(aws_managed_policies_data)))
    source = f"moto {importlib.metadata.version('moto')}: iam/aws_managed_policies.py (policies that AWS manages)"
    head = "# Service principals that AWS's own policies name. Written by tools/refresh_iam_data.py.\n"
    return head + _row("aws managed policies", source, checked_on, "principals", found)


def _service(name: str, source: str, checked_on: dt.date, actions: dict[str, dict[str, list[str]]]) -> str:
    without = sorted(action for action, known in actions.items() if not known.get("Resources"))
    listed = textwrap.fill(
        ", ".join(without), WIDTH, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False
    )
    return f"{_row(name, source, checked_on, 'actions', sorted(actions))}  without_resources: [\n{listed}\n  ]\n"


def _row(name: str, source: str, checked_on: dt.date, field: str, values: list[str]) -> str:
    listed = textwrap.fill(
        ", ".join(values), WIDTH, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False
    )
    return f'\n- name: {name}\n  source: "{source}"\n  checked_on: {checked_on}\n  {field}: [\n{listed}\n  ]\n'


if __name__ == "__main__":
    sys.exit(main())
