"""Checks the templates of one environment with every rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from neuron_cluster.findings.finding import Finding, Location, in_reading_order
from neuron_cluster.template_rules.base import Needs, TemplateContext, TemplateRule, Violation
from neuron_cluster.template_rules.discover import all_template_rules
from neuron_cluster.template_rules.look_up import LookUp

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


def check_templates(
    templates: Mapping[str, Mapping[str, Any]], catalog: Catalog, *, region: str | None = None
) -> list[Finding]:
    """Findings in all templates, by stack name. Pass all stacks together: rules follow exports between them.

    With ``region`` an Availability Zone must be one of that Region, without it one of any Region. A finding's file is
    the stack's name and its path the logical id and property: ``Template.LaunchTemplateData.UserData``.
    """
    look_up = LookUp(templates, region)
    return in_reading_order(
        _finding(rule, stack, place, violation)
        for rule in all_template_rules()
        for stack, place, violation in _violations(rule, look_up, catalog)
    )


def _violations(rule: TemplateRule, look_up: LookUp, catalog: Catalog) -> Iterator[tuple[str, str, Violation]]:
    """Stack, logical id (empty for the template as a whole) and violation."""
    if rule.needs is Needs.RESOURCE:
        for resource in look_up.resources(*rule.types):
            context = TemplateContext(catalog=catalog, given_resource=resource, given_look_up=look_up)
            for violation in rule.check(context):
                yield resource.stack, resource.logical_id, violation
    else:
        for stack, template in look_up.templates.items():
            for violation in rule.check(TemplateContext(catalog=catalog, given_template=template)):
                yield stack, "", violation


def _finding(rule: TemplateRule, stack: str, logical_id: str, violation: Violation) -> Finding:
    path = ".".join(part for part in (logical_id, violation.path) if part)
    return Finding(rule.id, Location(stack, path=path), violation.message, violation.hint)
