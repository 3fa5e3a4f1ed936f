"""The rules of a provider, or of its scheduler, that a file without its section leaves out would find nothing in it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.pipeline import check_environment
from neuron_cluster.protocol.provider import Provider
from neuron_cluster.protocol.registry import register, registered, unregister
from neuron_cluster.protocol.scheduler import Scheduler
from neuron_cluster.rules.base import Needs, RuleContext
from neuron_cluster.rules.discover import all_rules, rules_of
from tests.unit.providers.farm import FarmProvider

ROOT = Path(__file__).parents[3]
FILES = [
    *sorted((ROOT / "environments").glob("*.yaml")),
    *sorted((ROOT / "tests/fixtures/environments").glob("*.yaml")),
]
SKIPPED = [each for each in registered() if each.has_rules_for_its_section_only]


class FieldScheduler(Scheduler):
    name = "field"
    options = ()
    rule_package = "tests.unit.providers.farm_rules"


FIELD = FieldScheduler()


class FieldProvider(FarmProvider):
    """A provider without rules, whose scheduler has one."""

    rule_package = None
    has_rules_for_its_section_only = True
    schedulers = (FIELD,)


@contextlib.contextmanager
def registered_for_test(*providers: Provider) -> Iterator[None]:
    for provider in providers:
        register(provider)
    try:
        yield
    finally:
        for provider in providers:
            unregister(provider)


@pytest.mark.parametrize("provider", SKIPPED, ids=[each.section.key for each in SKIPPED])
def test_its_rules_find_nothing_without_its_section(provider: Provider) -> None:
    catalog, looked_at = load_catalog(), 0
    keys = {provider.rule_package: {provider.section.key}}
    for scheduler in provider.schedulers:
        keys[scheduler.rule_package] = {each.section.key for each in registered() if scheduler in each.schedulers}
    for file in FILES:
        written = {*yaml.safe_load(file.read_text())}
        packages = tuple(package for package, needed in keys.items() if package is not None and not needed & written)
        if not packages:
            continue
        checked = check_environment(file)
        environment = checked.require_resolved()
        contexts = {
            Needs.FILE: RuleContext(environment=environment, catalog=catalog),
            Needs.PLAN: RuleContext(environment=environment, catalog=catalog, given_plan=checked.require_plan()),
        }
        for needs, context in contexts.items():
            for rule in (each for each in rules_of(needs) if type(each).__module__.startswith(packages)):
                assert [*rule.check(context)] == [], (file.name, rule.id)
        looked_at += 1
    assert looked_at > 3


def test_a_file_with_a_section_has_the_rules_of_its_provider() -> None:
    keys = {each.section.key for each in registered()}
    assert all_rules(keys) == all_rules()
    without = {rule.id for rule in all_rules()} - {rule.id for rule in all_rules(keys - {"slurm"})}
    assert {"E2101", "W2140"} <= without


@pytest.mark.parametrize(
    ("sections", "count"), [({"eks"}, 0), ({"farm"}, 1), ({"barn"}, 1), ({"farm", "barn"}, 1), (None, 1)]
)
def test_a_rule_of_a_scheduler_runs_once_with_any_section_of_its_providers(
    sections: set[str] | None, count: int
) -> None:
    with registered_for_test(FieldProvider(), FieldProvider(key="barn")):
        assert [rule.id for rule in all_rules(sections)].count("W3990") == count
