"""Checks a call by the rules and rejects it with the service's code and message."""

from __future__ import annotations

from collections.abc import Iterator

from local_aws.contract import Call, ServiceError
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.local_checks.rule_input import REQUEST, RuleInput
from neuron_cluster.template_rules.base import Needs, TemplateContext, TemplateRule, Verdict, Violation
from neuron_cluster.template_rules.discover import all_template_rules
from neuron_cluster.template_rules.look_up import LookUp

STACK = "request"


def reject_by_rule(call: Call, rule_input: RuleInput) -> None:
    """Raises ServiceError for the first rule that the service enforces and the input breaks."""
    for rule, violation in broken_rules(rule_input, call.region):
        code, message = str(rule.error_code), message_of(violation)
        if rule_input.wrapped_error is not None:
            code, opening = rule_input.wrapped_error
            message = f"{opening} {message}"
        raise ServiceError(code, message)


def broken_rules(rule_input: RuleInput, region: str) -> Iterator[tuple[TemplateRule, Violation]]:
    """Rules of the operation that the input breaks, each with its violation."""
    rules = [rule for rule in enforced_rules(rule_input.operation) if rule.types and rule_input.type_name in rule.types]
    if not rules:
        return
    catalog, look_up = load_catalog(), LookUp({STACK: rule_input.template()}, region)
    resource = next(each for each in look_up.resources(rule_input.type_name) if each.logical_id == REQUEST)
    context = TemplateContext(catalog=catalog, given_resource=resource, given_look_up=look_up)
    for rule in rules:
        for violation in rule.check(context):
            yield rule, violation


def enforced_rules(operation: str) -> list[TemplateRule]:
    """Rules on resources that the service enforces in this operation."""
    return [
        rule
        for rule in all_template_rules()
        if rule.needs is Needs.RESOURCE and rule.operation == operation and rule.verdict is Verdict.REJECTED
    ]


def message_of(violation: Violation) -> str:
    """The service's own sentence, or one that names the parameter."""
    return violation.service_words or f"Invalid value for parameter {violation.path}: {violation.message}."
