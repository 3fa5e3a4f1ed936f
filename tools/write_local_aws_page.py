"""Writes docs/local-aws.md and docs/local-aws/: what the local AWS creates, returns, rejects and does not emulate."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from itertools import chain

from api_error_section import error_pages, linked, plain
from golden_paths import golden_environments, property_paths
from local_aws_page_text import IN_TESTS, INTRODUCTION, MARK, NOT_EMULATED, PROTECTION
from reference_pages import write_pages

from local_aws.custom_resources.record import KINDS
from local_aws.engine.drift import NOT_CHECKED
from local_aws.handlers.discover import discover_providers
from local_aws.handlers.service_resource import ServiceResource
from local_aws.resource_types.write_only_properties import unreadable
from neuron_cluster.template_rules.base import TemplateRule, Verdict
from neuron_cluster.template_rules.discover import all_template_rules

NAME = "local-aws"
FATES = {
    "AWS::CloudFormation::Stack": "created: a stack in the stack",
    "AWS::CloudFormation::WaitCondition": "waits for signals",
    "AWS::CloudFormation::WaitConditionHandle": "a URL for signals",
}
"""Descriptions of CloudFormation's own types."""


def pages() -> dict[str, str]:
    """The page that a reader needs first, and those of the tables."""
    tables = {
        "resource-types": _types(),
        "properties-read-back": _read_back(),
        "properties-that-no-api-returns": _unreadable(),
        "template-rules": chain(_enforced(), _not_enforced()),
        **error_pages(),
    }
    first = {f"{NAME}.md": f"{INTRODUCTION}\n{PROTECTION}\n{NOT_EMULATED}\n{IN_TESTS}"}
    return {**first, **{f"{NAME}/{name}.md": _page(lines) for name, lines in tables.items()}}


def _page(lines: Iterable[str]) -> str:
    title, *others = lines
    return "\n".join([f"{title}\n{MARK}\n\n[The local AWS](../{NAME}.md)\n", *others]).rstrip("\n") + "\n"


def _types() -> Iterator[str]:
    asked, silent = _template_paths(), _unreadable_paths()
    kinds = {kind for kind, _ in asked}
    yield "# Resource types of the local AWS\n"
    yield (
        f"The golden templates of environments ({', '.join(golden_environments())}) give {len(asked)} different "
        f"properties to {len(kinds)} types. {len(asked - silent)} of them are deployed and read back by a test, with "
        f"the same value; {len(asked & silent)} [cannot be read back](properties-that-no-api-returns.md).\n"
    )
    yield "| type | what becomes of it | properties it carries |\n| --- | --- | --- |"
    providers = discover_providers()
    for name in sorted({*providers, *KINDS}):
        provider = providers.get(name)
        supported = sorted(provider.supported) if isinstance(provider, ServiceResource) else []
        yield f"| {name} | {_fate(name)} | {_listed(supported)} |"
    yield ""


def _read_back() -> Iterator[str]:
    found = _template_paths() - _unreadable_paths()
    yield "# Properties read back\n"
    yield "Deployed by a test, and returned by the API of the service with the same value:\n"
    for name in sorted({kind for kind, _ in found}):
        yield f"- **{name}**: {_listed(sorted(path for kind, path in found if kind == name))}"
    yield ""


def _template_paths() -> set[tuple[str, str]]:
    """Type and path of every property in the golden templates."""
    return {each for environment in golden_environments() for each in property_paths(environment)}


def _unreadable_paths() -> set[tuple[str, str]]:
    return {(kind, path) for kind, rows in unreadable().items() for path in rows}


def _fate(name: str) -> str:
    if name in KINDS:
        return f"recorded: a {KINDS[name]}, not installed"
    if name.startswith(NOT_CHECKED):
        return FATES.get(name, "nothing to make")
    return "created"


def _unreadable() -> Iterator[str]:
    yield "# Properties that no API returns\n"
    yield "The service receives them, but its responses have no member for them: a test checks botocore's shapes.\n"
    yield "| type | property | response without it | reason |\n| --- | --- | --- | --- |"
    for kind, rows in sorted(unreadable().items()):
        for path, row in rows.items():
            place = f": `{row.within}`" if row.within else ""
            yield f"| {kind} | `{path}` | `{row.operation}`{place} | {row.reason} |"
    yield ""


def _rules(verdict: Verdict) -> list[TemplateRule]:
    return [rule for rule in all_template_rules() if rule.verdict is verdict]


def _enforced() -> Iterator[str]:
    rules = _rules(Verdict.REJECTED)
    yield "# API errors of template rules\n"
    yield (
        f"`app.py` checks {len(rules)} rules over templates; the local AWS checks them for every API call and returns "
        "the error code of the service.\n"
    )
    yield "| rule | what must hold | operation and error code | source |\n| --- | --- | --- | --- |"
    for rule in rules:
        yield f"| {rule.id} | {_sentence(rule)} | `{rule.operation}` `{rule.error_code}` | {linked(rule.source)} |"
    yield ""


def _not_enforced() -> Iterator[str]:
    yield "## Accepted by AWS and here, but not by `app.py`\n"
    yield "| rule | what must hold | AWS | source |\n| --- | --- | --- | --- |"
    for verdict in (Verdict.FAILS_LATER, Verdict.TOOLKIT_RULE):
        for rule in _rules(verdict):
            yield f"| {rule.id} | {_sentence(rule)} | {verdict.value} | {linked(rule.source)} |"
    yield ""


def _sentence(rule: TemplateRule) -> str:
    return plain(inspect.cleandoc(type(rule).__doc__ or "").partition("\n")[0])


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "-"


if __name__ == "__main__":
    write_pages(NAME, pages())
