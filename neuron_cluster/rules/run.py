"""Runs the rules of a stage and creates findings with locations."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from neuron_cluster.config.file_findings import MAX_ERRORS
from neuron_cluster.config.source_map import SourceMap
from neuron_cluster.findings.commands import render
from neuron_cluster.findings.finding import Finding
from neuron_cluster.lock.paths import commands_of
from neuron_cluster.protocol.registry import registered
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation
from neuron_cluster.rules.discover import all_rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date

    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.plan.cluster_plan import ClusterPlan
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


def stage_1(
    environment: ResolvedEnvironment,
    catalog: Catalog,
    source: SourceMap,
    *,
    lock: Lock | None = None,
    is_lock_clear: bool = True,
    as_of: date | None = None,
    stack_key: str = "",
) -> list[Finding]:
    """Findings about the file as written. Without ``as_of`` the rules that check a date are skipped.

    ``is_lock_clear`` is false where a lock exists and cannot be read: rules that use the lock are skipped.
    ``stack_key`` is that of a stack that a command of its own deploys: what it writes into the lock is not missed.
    """
    contexts = {Needs.FILE: RuleContext(environment=environment, catalog=catalog)}
    if is_lock_clear:
        contexts[Needs.LOCK] = RuleContext(environment=environment, catalog=catalog, given_lock=lock)
    if as_of is not None:
        contexts[Needs.DATE] = RuleContext(environment=environment, catalog=catalog, given_date=as_of)
    return _findings(contexts, environment, source, stack_key)


def stage_2(environment: ResolvedEnvironment, plan: ClusterPlan, catalog: Catalog, source: SourceMap) -> list[Finding]:
    """Findings about the plan."""
    context = RuleContext(environment=environment, catalog=catalog, given_plan=plan)
    return _findings({Needs.PLAN: context}, environment, source)


def _findings(
    contexts: Mapping[Needs, RuleContext], environment: ResolvedEnvironment, source: SourceMap, stack_key: str = ""
) -> list[Finding]:
    """Findings of the rules whose ``needs`` has a context."""
    sections = {each.section.key for each in registered() if environment.config.section(each.section.model)}
    return [
        finding
        for rule in all_rules(sections)
        if rule.needs in contexts and not (stack_key and rule.written_by_stack == stack_key)
        for violation, finding in findings_of(rule, rule.check(contexts[rule.needs]), source)
        if not environment.repairs.mislead(violation.path, _proposed(rule, violation), violation.related)
    ]


def _proposed(rule: Rule, violation: Violation) -> tuple[str, ...]:
    return rule.proposes if violation.proposes is None else violation.proposes


def findings_of(rule: Rule, violations: Iterable[Violation], source: SourceMap) -> list[tuple[Violation, Finding]]:
    """The findings of one rule, at most ``MAX_ERRORS``; the last one notes that more exist."""
    first = list(islice(violations, MAX_ERRORS + 1))
    if not first:
        return []
    findings = [(violation, _finding(rule, violation, source)) for violation in first[:MAX_ERRORS]]
    if len(first) > MAX_ERRORS:
        violation, last = findings[-1]
        message = f"{last.message} (more findings of {rule.id} are not shown)"
        findings[-1] = (violation, Finding(last.id, last.location, message, last.hint))
    return findings


def _finding(rule: Rule, violation: Violation, source: SourceMap) -> Finding:
    hint = render(violation.hint, commands_of(source.file))
    return Finding(rule.id, source.locate(violation.path), violation.message, hint)
