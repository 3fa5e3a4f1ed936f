"""Asks the rules about a call and refuses it in the service's words.

Source: that of the rule, in the table of refusals that templates are checked for
"""

from __future__ import annotations

from collections.abc import Iterator

from local_aws.enforcement.subject import REQUEST, Subject
from local_aws.service import Call, ServiceError
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.template_rules.base import ResourceRule, TemplateRule, Verdict, Violation
from neuron_cluster.template_rules.discover import all_template_rules
from neuron_cluster.template_rules.look_up import LookUp

STACK = "request"


def refuse_by_rule(call: Call, subject: Subject) -> None:
    """Raises ServiceError for the first rule that the service enforces and the subject breaks."""
    for rule, refusal in broken_rules(subject, call.region):
        code, words = str(rule.error_code), words_of(refusal)
        if subject.passed_on is not None:
            code, opening = subject.passed_on
            words = f"{opening} {words}"
        raise ServiceError(code, words)


def broken_rules(subject: Subject, region: str) -> Iterator[tuple[TemplateRule, Violation]]:
    """Rules of the subject's operation that it breaks, with the refusal, by the rules' ids."""
    rules = [rule for rule in enforced_rules(subject.operation) if rule.types and subject.type_name in rule.types]
    if not rules:
        return
    catalog, look_up = load_catalog(), LookUp({STACK: subject.template()}, region)
    resource = next(each for each in look_up.resources(subject.type_name) if each.logical_id == REQUEST)
    for rule in rules:
        for refusal in rule.check(resource, look_up, catalog):
            yield rule, refusal


def enforced_rules(operation: str) -> list[ResourceRule]:
    """Rules on resources that the service enforces in this operation."""
    return [
        rule
        for rule in all_template_rules()
        if isinstance(rule, ResourceRule) and rule.operation == operation and rule.verdict is Verdict.REJECTED
    ]


def words_of(refusal: Violation) -> str:
    """The service's own sentence, or one that names the parameter."""
    return refusal.service_words or f"Invalid value for parameter {refusal.path}: {refusal.message}."
