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
    titles = _chapter_titles()
    for rule in all_rules():
        title, reason, consequence = docstring_parts(type(rule).__doc__ or "")
        yield FindingSpec(
            rule.id,
            f"{rule.id[1]}: {_package_title(rule) or titles.get(rule.id[1], '')}",
            rule.needs.value,
            title,
            reason,
            consequence,
            rule.source,
            references=rule.references,
            example=examples().get(rule.id),
        )


def _chapter_titles() -> dict[str, str]:
    """Returns titles by number of the chapter, from any of its packages, for rules whose own package has none."""
    return {rule.id[1]: title for rule in all_rules() if (title := _package_title(rule))}


def _package_title(rule: Rule) -> str:
    package = importlib.import_module(type(rule).__module__.rpartition(".")[0])
    return (package.__doc__ or "").strip().rstrip(".").partition(": ")[2]
