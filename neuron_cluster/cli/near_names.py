"""Names that a person may have meant: those that are spelt alike, and those that other tools have for the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from neuron_cluster.findings.suggestions import MAX_SUGGESTIONS, suggestions

if TYPE_CHECKING:
    from neuron_cluster.cli.parser import Parser

VERBS: Mapping[str, tuple[str, ...]] = {
    "apply": ("deploy",),
    "bootstrap": ("setup", "deploy"),
    "check": ("validate",),
    "create": ("new", "deploy"),
    "delete": ("destroy",),
    "describe": ("list", "plan"),
    "down": ("destroy",),
    "get": ("list",),
    "graph": ("diagram",),
    "health": ("status",),
    "help": ("--help",),
    "install": ("setup", "deploy"),
    "kubeconfig": ("onboard",),
    "lint": ("validate",),
    "login": ("onboard",),
    "ls": ("list",),
    "preview": ("plan", "diff"),
    "price": ("cost",),
    "ps": ("list",),
    "rm": ("destroy",),
    "remove": ("destroy",),
    "run": ("workload submit",),
    "show": ("plan", "list"),
    "state": ("status", "list"),
    "synthesize": ("synth",),
    "template": ("synth",),
    "up": ("deploy",),
    "update": ("deploy", "upgrade"),
    "update-kubeconfig": ("onboard",),
    "version": ("--version",),
}
"""Verbs of kubectl, Terraform, CDK and shells, with those of this command for the same."""
OPTIONS: Mapping[str, tuple[str, ...]] = {
    "--approve": ("--yes",),
    "--auto-approve": ("--yes",),
    "--json": ("--format",),
    "--no-prompt": ("--yes",),
    "--out-file": ("--output",),
    "--purpose": ("--task",),
    "--task": ("--purpose",),
    "-f": ("--format",),
    "-o": ("--output", "--format"),
    "-y": ("--yes",),
}

VALUES: Mapping[str, str] = {
    "dev": "develop",
    "embedding": "embed",
    "embeddings": "embed",
    "inference": "serve",
    "infer": "serve",
    "lora": "finetune",
    "pretrain": "train",
    "pretraining": "train",
    "sft": "finetune",
}
"""Other words for a purpose of `new`, or a task of `recommend`."""


def near_values(name: str, known: Sequence[str], commands: Mapping[str, Parser]) -> list[str]:
    """Returns verbs that other tools call so, verbs with such an action, then those that are spelt alike."""
    actions = [f"{verb} {name}" for verb, parser in commands.items() if name in parser.commands()]
    synonyms = [each for each in VERBS.get(name, ()) if each.startswith("-") or each.partition(" ")[0] in commands]
    synonyms += [each for each in known if each == VALUES.get(name.lower())]
    longer = [each for each in known if name and each.startswith(name)]
    return list(dict.fromkeys([*synonyms, *actions, *longer, *suggestions(name, known)]))[:MAX_SUGGESTIONS]


def near_options(name: str, known: Sequence[str]) -> list[str]:
    """The options of a parser that another tool calls by this name, or that are spelt alike."""
    synonyms = [each for each in OPTIONS.get(name, ()) if each in known]
    return synonyms or suggestions(name, [each for each in known if each.startswith("--")])
