"""Judges the templates of one environment by every law."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.findings import Finding, Location, in_reading_order
from neuron_cluster.template_law.base import Law, Refusal, ResourceLaw, TemplateLaw
from neuron_cluster.template_law.discover import all_laws
from neuron_cluster.template_law.look_up import LookUp

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


def judge(
    templates: Mapping[str, Mapping[str, Any]], *, region: str | None = None, catalog: Catalog | None = None
) -> list[Finding]:
    """Findings over all templates, by stack name. Give all stacks together: laws follow exports between them.

    ``region`` sharpens the laws on zones; without it a zone need only be one that some Region has. A finding's file
    is the stack's name and its path the logical id and property: ``Template.LaunchTemplateData.UserData``.
    """
    catalog = catalog or load_catalog()
    look_up = LookUp(templates, region)
    return in_reading_order(
        _finding(law, stack, place, refusal)
        for law in all_laws()
        for stack, place, refusal in _refusals(law, look_up, catalog)
    )


def _refusals(law: Law, look_up: LookUp, catalog: Catalog) -> Iterator[tuple[str, str, Refusal]]:
    """Stack, logical id (empty for the template as a whole) and refusal."""
    if isinstance(law, ResourceLaw):
        for resource in look_up.resources(*law.types):
            for refusal in law.check(resource, look_up, catalog):
                yield resource.stack, resource.logical_id, refusal
    elif isinstance(law, TemplateLaw):
        for stack, template in look_up.templates.items():
            for refusal in law.check(template, catalog):
                yield stack, "", refusal


def _finding(law: Law, stack: str, logical_id: str, refusal: Refusal) -> Finding:
    path = ".".join(part for part in (logical_id, refusal.path) if part)
    return Finding(law.id, Location(stack, path=path), refusal.message, refusal.hint)
