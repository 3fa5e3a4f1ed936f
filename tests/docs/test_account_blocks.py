"""Blocks marked ``console needs-account``: a shell parses them, and the programs have their verbs and options."""

from __future__ import annotations

import re
import shlex
import subprocess

import pytest
from hint_commands import command_error

from tests.docs.blocks import PARSED, Block, blocks_marked
from tests.docs.shell import simple_commands

PROGRAMS = {
    *("neuron-cluster", "aws", "cdk", "kubectl", "helm", "pcluster"),
    *("python3", ".venv/bin/python", "pip", "pipx", "npx", "make", "git"),
    *("base64", "bash", "cat", "cp", "curl", "echo", "jq", "sed", "sh", "sha256sum", "sudo", "systemctl", "."),
    "sacctmgr",
}
PLACEHOLDER = re.compile(r"\b(NAME|ENVIRONMENT)\b")


def flaws_of(block: Block) -> list[str]:
    """Returns the faults of a block that a shell or a program would reject, by command."""
    script = "\n".join(shown.command for shown in block.shown)
    parsed = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True, check=False)
    if parsed.returncode:
        return [parsed.stderr]
    return [flaw for command in simple_commands_of(block) if (flaw := _flaw(command))]


def simple_commands_of(block: Block) -> list[list[str]]:
    return [command for shown in block.shown for command in simple_commands(shown.command)]


def _flaw(command: list[str]) -> str:
    if command[0] not in PROGRAMS:
        return f"{command[0]}: not among the programs of the pages"
    if command[0] not in {"neuron-cluster", "aws"}:
        return ""
    error = command_error(shlex.join(PLACEHOLDER.sub("my-cluster", word) for word in command))
    return f"{' '.join(command)}: {error}" if error else ""


@pytest.mark.parametrize("block", blocks_marked(PARSED), ids=lambda block: block.place)
def test_the_programs_accept_the_commands(block: Block) -> None:
    assert block.shown
    assert flaws_of(block) == []


@pytest.mark.parametrize(
    "body",
    [
        "$ neuron-cluster plan my-cluster --no-such-option\n",
        "$ neuron-cluster plann my-cluster\n",
        "$ NODE=$(aws ec2 describe-instance --region us-west-2)\n",
        "$ aws ec2 describe-instances --instance x\n",
        '$ kubectl get nodes "$(aws eks describe-clusters)"\n',
        "$ cdk list | awk x\n",
        "$ echo 'open\n",
        "$ aws s3 copy a b\n",
    ],
)
def test_a_wrong_command_is_found(body: str) -> None:
    assert len(flaws_of(Block("page.md", 1, PARSED, body))) == 1


def test_continued_lines_and_pipes_are_accepted() -> None:
    body = "$ HOST=$(aws eks describe-cluster --name x \\\n  | sed 's|a||') # why\n$ aws s3 cp a b > file; echo done\n"
    assert flaws_of(Block("page.md", 1, PARSED, body)) == []
