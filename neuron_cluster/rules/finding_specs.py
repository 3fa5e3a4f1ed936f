"""The findings of the rules, from their docstrings."""

from __future__ import annotations

import importlib
from collections.abc import Iterator

from neuron_cluster.findings.spec import FindingSpec, docstring_parts
from neuron_cluster.rules.base import Rule
from neuron_cluster.rules.discover import all_rules
from neuron_cluster.rules.examples import examples


def finding_specs() -> Iterator[FindingSpec]:
    """One of each rule."""
    for rule in all_rules():
        title, reason, consequence = docstring_parts(type(rule).__doc__ or "")
        yield FindingSpec(
            rule.id,
            f"{rule.id[1]}: {chapter_title(rule)}",
            rule.needs.value,
            title,
            reason,
            consequence,
            rule.source,
            references=rule.references,
            example=examples().get(rule.id),
        )


def chapter_title(rule: Rule) -> str:
    """Returns the title in the docstring of its package, else one of another package with rules of the chapter."""
    return _package_title(rule) or _chapter_titles().get(rule.id[1], "")


def _chapter_titles() -> dict[str, str]:
    """Returns titles by number of the chapter, from any of its packages."""
    return {rule.id[1]: title for rule in all_rules() if (title := _package_title(rule))}


def _package_title(rule: Rule) -> str:
    package = importlib.import_module(type(rule).__module__.rpartition(".")[0])
    return (package.__doc__ or "").strip().rstrip(".").partition(": ")[2]
