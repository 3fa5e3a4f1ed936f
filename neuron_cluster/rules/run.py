"""Runs the rules of a stage and turns what they found into findings with a place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.config.source_map import SourceMap
from neuron_cluster.findings import Finding
from neuron_cluster.rules.base import ConfigRule, PlanRule, Problem, Rule
from neuron_cluster.rules.discover import all_rules

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig
    from neuron_cluster.plan.cluster_plan import ClusterPlan


def stage_1(config: EnvironmentConfig, catalog: Catalog, source: SourceMap) -> list[Finding]:
    """Findings about the file as written."""
    return [
        _finding(rule, problem, source)
        for rule in all_rules()
        if isinstance(rule, ConfigRule)
        for problem in rule.check(config, catalog)
    ]


def stage_2(plan: ClusterPlan, catalog: Catalog, source: SourceMap) -> list[Finding]:
    """Findings about what the file becomes."""
    return [
        _finding(rule, problem, source)
        for rule in all_rules()
        if isinstance(rule, PlanRule)
        for problem in rule.check(plan, catalog)
    ]


def _finding(rule: Rule, problem: Problem, source: SourceMap) -> Finding:
    return Finding(rule.id, source.locate(problem.path), problem.message, problem.hint)
