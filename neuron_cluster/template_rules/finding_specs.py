"""The findings of the template rules, from their docstrings."""

from __future__ import annotations

import importlib
from collections.abc import Iterator

from neuron_cluster.findings.spec import FindingSpec, docstring_parts
from neuron_cluster.template_rules.base import TemplateRule
from neuron_cluster.template_rules.discover import all_template_rules


def finding_specs() -> Iterator[FindingSpec]:
    """One spec for each template rule."""
    for rule in all_template_rules():
        title, reason, consequence = docstring_parts(type(rule).__doc__ or "")
        yield FindingSpec(
            rule.id,
            _chapter(rule),
            "the templates",
            title,
            reason,
            consequence,
            rule.source,
            types=rule.types,
            operation=rule.operation,
            error_code=rule.error_code or "",
            references=rule.references,
        )


def _chapter(rule: TemplateRule) -> str:
    package = importlib.import_module(type(rule).__module__.rpartition(".")[0])
    return f"{rule.id[1:3]}: {(package.__doc__ or '').partition(':')[0]}"
