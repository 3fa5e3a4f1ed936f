"""The stack that `image build` deploys: cdk-nag and cfn-lint find nothing that is not acknowledged with a reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.slurm_image import NAME, STACK_KEY, image_app

from .nag import acknowledgements, needless, run_packs

pytestmark = pytest.mark.slow


def packs_of(standards: bool) -> tuple[Callable[[Any], Any], ...]:
    import cdk_nag

    return (cdk_nag.NIST80053R5Checks, cdk_nag.PCIDSS321Checks) if standards else (cdk_nag.AwsSolutionsChecks,)


@pytest.mark.parametrize("standards", [False, True])
def test_every_finding_is_acknowledged_with_a_reason(standards: bool, cdk: Any, tmp_path: Path) -> None:
    def app_of(*_: Any, outdir: Path, assets_copied: bool) -> Any:
        del assets_copied
        return image_app(cdk, tmp_path, outdir)

    case: tuple[str, dict[str, Any]] = (NAME, {})
    packs = packs_of(standards)
    app, left = run_packs(cdk, app_of, case, packs, tmp_path / "noted", with_acknowledgements=True)
    assert [place for place in left if place[0].startswith(f"{NAME}-{STACK_KEY}")] == []
    _, findings = run_packs(cdk, app_of, case, packs, tmp_path / "bare", with_acknowledgements=False)
    given = [
        note for note in acknowledgements(app, of_standards=standards) if note[0].startswith(f"{NAME}-{STACK_KEY}")
    ]
    assert given
    assert needless(given, findings) == []
    assert [path for path, _, reason in given if len(reason) < 20] == []


def test_the_template_passes_cfn_lint(cdk: Any, lint: Callable[..., list[Any]], tmp_path: Path) -> None:
    image_app(cdk, tmp_path, tmp_path / "assembly").synth()
    template = json.loads((tmp_path / "assembly" / f"{NAME}-{STACK_KEY}.template.json").read_text(encoding="utf-8"))
    assert [(match.rule.id, match.message) for match in lint(template, "us-west-2")] == []
