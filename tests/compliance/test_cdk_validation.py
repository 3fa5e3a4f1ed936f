"""CDK's validation of templates, on for users: it takes seconds, and few templates change from commit to commit.

`make goldens` records what it finds nothing in; `make test` validates what the record does not have.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from tests.recorded_lint import MODE, digest_of

from .conftest import SHIPPED
from .nag import run_packs

RECORD = Path(__file__).parents[1] / "fixtures" / "cdk_validation.json"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def valid() -> Iterator[set[str]]:
    """Digests of templates in which this release of CDK finds nothing; a test adds those that it validates."""
    document = json.loads(RECORD.read_text())
    digests = set(document["valid"]) if not MODE and document["version"] == version("aws-cdk-lib") else set()
    yield digests
    if MODE == "write":
        RECORD.write_text(json.dumps({"version": version("aws-cdk-lib"), "valid": sorted(digests)}, indent=1) + "\n")


@pytest.mark.parametrize("case", SHIPPED)
def test_cdk_finds_nothing_in_the_templates(
    case: tuple[str, dict[str, Any]],
    cdk: Any,
    app_of: Callable[..., Any],
    plan_of: Callable[..., Any],
    templates_of: Callable[..., Any],
    valid: set[str],
    tmp_path: Path,
) -> None:
    plan = plan_of(*case)
    digest = digest_of({"account": plan.account, "templates": templates_of(*case)}, plan.region)
    if digest in valid:
        return
    plugins = (lambda _: cdk.CloudFormationValidatePlugin(),)  # by default, CDK adds it where CDK_VALIDATION is not off
    _, found = run_packs(cdk, app_of, case, plugins, tmp_path, with_acknowledgements=True)
    assert found == []
    assert (tmp_path / "validation-report.json").is_file()  # CDK writes it when validation has run
    valid.add(digest)
