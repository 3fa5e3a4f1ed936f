"""CDK's validation of templates, which users have by default, finds nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.recorded_lint import digest_of

from .conftest import CASES
from .nag import needless, of_validation, run_packs
from .recorded_valid import ValidTemplates, recorded_valid

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def valid() -> Iterator[ValidTemplates]:
    with recorded_valid("cdk_validation", "aws-cdk-lib") as templates:
        yield templates


@pytest.mark.parametrize("case", CASES)
def test_cdk_finds_nothing_in_the_templates(
    case: tuple[str, dict[str, Any]],
    cdk: Any,
    app_of: Callable[..., Any],
    plan_of: Callable[..., Any],
    templates_of: Callable[..., Any],
    valid: ValidTemplates,
    request: pytest.FixtureRequest,
    tmp_path: Path,
) -> None:
    plan = plan_of(*case)
    digest = digest_of({"account": plan.account, "templates": templates_of(*case)}, plan.region)
    if valid.has(digest):
        return
    plugins = (
        lambda _: cdk.CloudFormationValidatePlugin(),
    )  # CDK's own, which it adds where CDK_VALIDATION is not off
    app, found = run_packs(cdk, app_of, case, plugins, tmp_path / "noted", with_acknowledgements=True)
    # CDK writes the report when validation has run, and lists plug-ins that found something.
    reports = json.loads((tmp_path / "noted" / "validation-report.json").read_text())["pluginReports"]
    assert found == []
    if given := of_validation(app):
        _, found = run_packs(cdk, app_of, case, plugins, tmp_path / "bare", with_acknowledgements=False)
        assert needless(given, found) == []
    else:
        assert reports == []
    valid.add(digest, request.node)
