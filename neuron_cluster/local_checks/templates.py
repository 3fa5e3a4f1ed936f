"""Templates as CloudFormation's own rules see them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.contract import ServiceError
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.template_rules.base import Needs, TemplateContext, TemplateRule, Verdict
from neuron_cluster.template_rules.discover import all_template_rules

CHANGE_SET = "cloudformation:CreateChangeSet"


def enforced_template_rules() -> list[TemplateRule]:
    """Rules on a whole template that CloudFormation enforces."""
    return [
        rule
        for rule in all_template_rules()
        if rule.needs is Needs.TEMPLATE and rule.operation == CHANGE_SET and rule.verdict is Verdict.REJECTED
    ]


def reject_template(template: Mapping[str, Any]) -> None:
    """Raises ServiceError for a template beyond CloudFormation's limits."""
    context = TemplateContext(catalog=load_catalog(), given_template=template)
    for rule in enforced_template_rules():
        for refusal in rule.check(context):
            raise ServiceError(str(rule.error_code), refusal.service_words)
