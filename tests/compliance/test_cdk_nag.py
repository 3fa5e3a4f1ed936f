"""cdk-nag's AwsSolutions pack over the shipped environments, and whether every acknowledgement is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.recorded_lint import digest_of

from .conftest import CASES
from .nag import acknowledgements, has_own_test, needless, run_packs
from .recorded_valid import ValidTemplates, recorded_valid

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def valid() -> Iterator[ValidTemplates]:
    with recorded_valid("cdk_nag", "cdk-nag", "aws-cdk-lib") as templates:
        yield templates


@pytest.mark.parametrize("case", CASES)
def test_each_finding_has_an_acknowledgement_with_a_reason_and_none_is_left_over(
    case: tuple[str, dict[str, Any]],
    cdk: Any,
    app_of: Callable[..., Any],
    templates_of: Callable[..., Any],
    acknowledged_in: Callable[..., Any],
    valid: ValidTemplates,
    request: pytest.FixtureRequest,
    tmp_path: Path,
) -> None:
    """Acknowledgements are needed if a run in which all are taken off has their findings."""
    from cdk_nag import AwsSolutionsChecks

    of_nag = [note for note in acknowledged_in(*case) if not has_own_test(note[1])]
    digest = digest_of({"templates": templates_of(*case), "acknowledged": of_nag}, "")
    if valid.has(digest):
        return
    packs = (AwsSolutionsChecks,)
    app, left = run_packs(cdk, app_of, case, packs, tmp_path / "noted", with_acknowledgements=True)
    assert left == []
    _, findings = run_packs(cdk, app_of, case, packs, tmp_path / "bare", with_acknowledgements=False)
    given = acknowledgements(app, of_standards=False)
    assert given
    assert needless(given, findings) == []
    assert [path for path, _, reason in given if len(reason) < 20] == []
    valid.add(digest, request.node)
