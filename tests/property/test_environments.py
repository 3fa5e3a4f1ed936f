"""An environment without an error can be built: it synthesizes, and neither the rules nor cfn-lint object."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from drawn import environments
from hypothesis import HealthCheck, event, given, settings
from repair import checked
from slurm_places import ALL_ASPECTS, aspects, slurm_environments
from synthesis import app_of_text, synthesized, templates_in
from yaml_text import Environment

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.findings.finding import has_error
from neuron_cluster.template_rules.run import check_templates
from tests.compliance.nag import run_packs

TYPE_NOT_IN_REGION = "E3628"
"""Excused for a type whose catalog row says that the linter's table lacks it in the Region."""
OLD_BOUNDS = "E3671"
"""cfn-lint 1.58.0 holds gp3 to 16,000 IOPS and 1,000 MiB/s; AWS takes 80,000 and 2,000 (limits of the catalog)."""
REDUNDANT_DEPENDENCY = "W3005"
"""CDK's own kubectl functions name their role in DependsOn in addition to Role."""

WITH_SLURM = 40
"""So many of the exhaustive test, the same ones each time."""

pytestmark = pytest.mark.slow


def reported(template: dict[str, Any], region: str, lint: Callable[..., list[Any]], unknown: set[str]) -> list[str]:
    """Returns the matches of cfn-lint that are not excused."""
    return [str(match) for match in lint(template, region) if not is_excused(match, unknown)]


def linted(
    templates: dict[str, Any], region: str, lint: Callable[..., list[Any]], unknown: set[str]
) -> dict[str, list[str]]:
    """Returns the matches of ``reported`` by stack."""
    found = {name: reported(template, region, lint, unknown) for name, template in templates.items()}
    return {name: matches for name, matches in found.items() if matches}


def is_excused(match: Any, unknown: set[str]) -> bool:
    if match.rule == TYPE_NOT_IN_REGION:
        return any(f"'{name}'" in match.message for name in unknown)
    if match.rule == OLD_BOUNDS:
        return match.path[-1] in ("Iops", "Throughput")
    return bool(match.rule == REDUNDANT_DEPENDENCY)


def not_offered(region: str) -> set[str]:
    """Instance types that were not offered in the Region, of which W3003 warns; the linter refuses them."""
    return {row.name for row in load_catalog().instance_types if region not in row.zone_ids}


def of_examples(default: int) -> settings:
    """So many examples by default, the same each time; NEURON_CLUSTER_EXAMPLES others, at random."""
    examples = os.environ.get("NEURON_CLUSTER_EXAMPLES")
    return settings(
        max_examples=int(examples or default),
        derandomize=examples is None,
        deadline=None,
        print_blob=True,
        suppress_health_check=list(HealthCheck),
    )


@of_examples(2)
@given(environment=environments())
def test_an_environment_without_an_error_synthesizes_and_passes_the_rules(environment: Environment, cdk: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        plan, templates = synthesized(environment.text, Path(folder))
    event(f"{len(templates)} stacks")
    assert list(templates) == [plan.stack_name(stack_key) for stack_key in plan.stacks]
    findings = check_templates(templates, load_catalog(), region=plan.region)
    assert not has_error(findings), findings


@of_examples(1)  # the linter takes a second for each stack
@given(environment=environments())
def test_an_environment_without_an_error_passes_the_linter(
    environment: Environment, cdk: Any, lint: Callable[..., list[Any]], unknown_to_lint: Callable[[str], set[str]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        plan, templates = synthesized(environment.text, Path(folder))
    unknown = unknown_to_lint(plan.region) | not_offered(plan.region)
    assert linted(templates, plan.region, lint, unknown) == {}


@pytest.mark.exhaustive
def test_an_environment_with_slurm_passes_the_rules_the_linter_and_cdk_nag(
    cdk: Any, lint: Callable[..., list[Any]], unknown_to_lint: Callable[[str], set[str]]
) -> None:
    """Each part that may be next to a Slurm cluster occurs."""
    from cdk_nag import AwsSolutionsChecks

    seen: set[str] = set()

    @settings(max_examples=WITH_SLURM, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(environment=slurm_environments())
    def look(environment: Environment) -> None:
        plan = checked(environment.text).require_plan()
        case, packs = (environment.text,), (AwsSolutionsChecks,)
        with tempfile.TemporaryDirectory() as folder:
            _, found = run_packs(cdk, app_of_text, case, packs, Path(folder), with_acknowledgements=True)
            templates = templates_in(Path(folder))
        assert found == []
        findings = check_templates(templates, load_catalog(), region=plan.region)
        assert not has_error(findings), findings
        unknown = unknown_to_lint(plan.region) | not_offered(plan.region)
        assert linted(templates, plan.region, lint, unknown) == {}
        seen.update(aspects(environment.tree))

    look()
    assert seen == ALL_ASPECTS
