"""Findings of one rule in a case of a fixture, without the other rules where the rule reads only the file."""

from __future__ import annotations

from pathlib import Path

from rule_fixture import Case

from neuron_cluster.config.loader import load_environment
from neuron_cluster.findings.finding import Finding, has_error, in_reading_order
from neuron_cluster.pipeline import check_environment
from neuron_cluster.protocol.registry import resolve_environment
from neuron_cluster.resolved.provenance import Provenances
from neuron_cluster.rules.base import Needs, Rule, RuleContext
from neuron_cluster.rules.run import findings_of

SHOWN = "environment.yaml"


def findings_of_rule(rule: Rule, case: Case, folder: Path) -> list[Finding]:
    """In the order of the file. Rules about the lock, a date or the plan are asked with all others."""
    file = case.write(folder)
    loaded = load_environment(file, display_name=SHOWN, zones_of=case.catalog.regions.zone_ids)
    if rule.needs is not Needs.FILE or loaded.config is None or has_error(loaded.findings):
        checked = check_environment(file, display_name=SHOWN, catalog=case.catalog, as_of=case.as_of)
        return [finding for finding in checked.findings if finding.id == rule.id]
    provenances = Provenances(loaded.source.places, loaded.repairs)
    resolved = resolve_environment(loaded.config, case.catalog, provenances)
    violations = rule.check(RuleContext(environment=resolved, catalog=case.catalog))
    return in_reading_order(finding for _, finding in findings_of(rule, violations, loaded.source))
