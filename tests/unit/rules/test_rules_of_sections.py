"""The rules of a provider that are not imported for a file without its section would find nothing in it."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.pipeline import check_environment
from neuron_cluster.protocol.registry import registered
from neuron_cluster.rules.base import Needs, RuleContext
from neuron_cluster.rules.discover import all_rules, rules_of

ROOT = Path(__file__).parents[3]
FILES = [
    *sorted((ROOT / "environments").glob("*.yaml")),
    *sorted((ROOT / "tests/fixtures/environments").glob("*.yaml")),
]
SKIPPED = [each for each in registered() if each.has_rules_for_its_section_only]


@pytest.mark.parametrize("provider", SKIPPED, ids=[each.section.key for each in SKIPPED])
def test_its_rules_find_nothing_without_its_section(provider: object) -> None:
    catalog, looked_at = load_catalog(), 0
    key, package = provider.section.key, provider.rule_package
    for file in FILES:
        if key in yaml.safe_load(file.read_text()):
            continue
        checked = check_environment(file)
        environment = checked.require_resolved()
        contexts = {
            Needs.FILE: RuleContext(environment=environment, catalog=catalog),
            Needs.PLAN: RuleContext(environment=environment, catalog=catalog, given_plan=checked.require_plan()),
        }
        for needs, context in contexts.items():
            for rule in (each for each in rules_of(needs) if type(each).__module__.startswith(package)):
                assert [*rule.check(context)] == [], (file.name, rule.id)
        looked_at += 1
    assert looked_at > 5


def test_a_file_with_a_section_has_the_rules_of_its_provider() -> None:
    keys = {each.section.key for each in registered()}
    assert all_rules(keys) == all_rules()
    without = {rule.id for rule in all_rules()} - {rule.id for rule in all_rules(keys - {"slurm"})}
    assert {"E2101", "W2140"} <= without
