"""Templates of the constructs: no finding of cfn-lint, cdk-nag and the template rules; ids are a contract."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.template_rules.run import check_templates
from tests.compliance.nag import acknowledgements, needless, run_packs

REGION = "us-west-2"
TYPE_NOT_IN_REGION = "E3628"
"""The linter's table lacks trn2.48xlarge in this Region, as the row of the catalog says."""
IDS = Path(__file__).with_name("logical_ids.txt")


def test_logical_ids_are_those_that_others_have_deployed(template: dict[str, Any]) -> None:
    found = [f"{name} {each['Type']}" for name, each in template["Resources"].items()]
    assert found == IDS.read_text().splitlines()


def test_template_rules_find_nothing(template: dict[str, Any]) -> None:
    assert check_templates({"ml": template}, load_catalog(), region=REGION) == []


@pytest.mark.slow
def test_cfn_lint_finds_nothing(template: dict[str, Any], lint: Callable[..., list[Any]]) -> None:
    found = [each for each in lint(template, REGION) if each.rule != TYPE_NOT_IN_REGION]
    assert [f"{each.rule} {each.path} {each.message}" for each in found] == []


@pytest.mark.slow
def test_cdk_nag_finds_nothing_that_is_not_acknowledged(cdk: Any, make_app: Callable[..., Any], tmp_path: Path) -> None:
    from cdk_nag import AwsSolutionsChecks

    packs, case = (AwsSolutionsChecks,), ()
    app, left = run_packs(cdk, make_app, case, packs, tmp_path / "noted", with_acknowledgements=True)
    assert left == []
    _, findings = run_packs(cdk, make_app, case, packs, tmp_path / "bare", with_acknowledgements=False)
    assert needless(acknowledgements(app, of_standards=False), findings) == []
