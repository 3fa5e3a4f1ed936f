"""``neuron-cluster access``: what each role can do with the buckets, and each principal in Kubernetes."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from neuron_cluster.cli.arguments import Verbs, add_environment, add_local_lock, add_verb

if TYPE_CHECKING:
    from neuron_cluster.access.matrix import AccessMatrix
    from neuron_cluster.access.roles import Role
    from neuron_cluster.opened_environment import OpenedEnvironment

EXAMPLES = """  neuron-cluster access train-trn1
  neuron-cluster access train-trn1 --role NodeRole
  neuron-cluster access train-trn1 --format json \\
    | jq '.cells[] | select(.allowed)'
  neuron-cluster access train-trn1 --format json | jq .kubernetes"""

TEXT = """Show what each IAM role of an environment can do with its checkpoint bucket, its
S3 Express bucket and their key: for each action and prefix allowed or denied,
and by which statement. A statement is named by its policy and its position
there, from 0: Pods[1]. Then what admins, viewers and members of teams may do in
the Kubernetes API. Runs offline, on the templates that `synth` writes.

Decides as IAM does: an explicit deny, then an allow, else denied; with policies
of the role, of the bucket and of the key, permissions boundaries, conditions
and the session tags of EKS Pod Identity. A policy that cannot be decided is an
error that names the operator, key or variable; nothing is ignored."""


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs,
        "access",
        run,
        summary="show which roles can read, write and delete data, and what principals may do in Kubernetes",
        text=TEXT,
        examples=EXAMPLES,
    )
    add_environment(parser)
    add_local_lock(parser)
    parser.add_argument(
        "--role",
        metavar="R",
        help="show every decision for the roles whose name (stack and logical id) contains R",
    )


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.access_records import access_matrix_of, kubernetes_access_of
    from neuron_cluster.cli.open_environment import open_environment
    from neuron_cluster.cli.terminal import print_findings, print_json, print_tables
    from neuron_cluster.report.access_page import access_as_data, kubernetes_access_as_data, kubernetes_access_tables

    opened = open_environment(options)
    matrix = access_matrix_of(opened)
    roles = _chosen(matrix, options.role)
    if options.format == "json":
        findings = [finding.as_dict() for finding in opened.findings]
        data = {
            **access_as_data(matrix, roles),
            "kubernetes": kubernetes_access_as_data(kubernetes_access_of(opened.plan)),
        }
        print_json({"environment": opened.plan.name, **data, "findings": findings})
        return 0
    _print_text(opened, matrix, roles, complete=options.role is not None)
    if options.role is None:
        print_tables(kubernetes_access_tables(kubernetes_access_of(opened.plan)))
    print_findings(opened.findings)
    return 0


def _chosen(matrix: AccessMatrix, part: str | None) -> list[Role]:
    """The roles whose name contains ``part``. Raises ``ToolkitError`` when there is none."""
    from neuron_cluster.errors import ToolkitError

    roles = [role for role in matrix.roles if part is None or part.lower() in role.name.lower()]
    if not roles:
        names = ", ".join(role.name for role in matrix.roles)
        raise ToolkitError(f"no role has {part} in its name", hint=f"its roles: {names}")
    return roles


def _print_text(opened: OpenedEnvironment, matrix: AccessMatrix, roles: list[Role], *, complete: bool) -> None:
    from neuron_cluster.cli.terminal import print_paragraph, print_tables
    from neuron_cluster.report.access_page import access_tables, notes, undecided_sentence

    undecided = undecided_sentence(opened.plan, matrix)
    if undecided is not None:
        print_paragraph(undecided, sys.stdout)
        return
    print_tables(access_tables(matrix, roles, complete=complete))
    for line in notes(matrix):
        print_paragraph(line, sys.stdout)
