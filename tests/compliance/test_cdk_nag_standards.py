"""cdk-nag's packs NIST 800-53 R5 and PCI DSS 3.2.1: every finding is corrected, or acknowledged at its construct."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .nag import acknowledgements, needless, run_packs
from .test_cdk_nag import CASES

pytestmark = pytest.mark.exhaustive


@pytest.mark.parametrize("case", CASES)
def test_findings_and_acknowledgements_of_the_standards_are_the_same(
    case: tuple[str, dict[str, Any]], cdk: Any, app_of: Callable[..., Any], tmp_path: Path
) -> None:
    from cdk_nag import NIST80053R5Checks, PCIDSS321Checks

    packs = (NIST80053R5Checks, PCIDSS321Checks)
    app, left = run_packs(cdk, app_of, case, packs, tmp_path / "noted", with_acknowledgements=True)
    assert left == []
    _, findings = run_packs(cdk, app_of, case, packs, tmp_path / "bare", with_acknowledgements=False)
    given = acknowledgements(app, of_standards=True)
    assert given
    assert needless(given, findings) == []
    assert [path for path, _, reason in given if len(reason) < 20] == []
