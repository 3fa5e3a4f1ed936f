"""cdk-nag's AwsSolutions pack over the shipped environments, and whether every acknowledgement is needed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from .conftest import AUTO_MODE, ENVIRONMENTS, IMAGE_CACHE, SOFTWARE

CASES = [*((name, {}) for name in ENVIRONMENTS), ("train-trn1", AUTO_MODE | IMAGE_CACHE), ("train-trn1", SOFTWARE)]
"""The shipped environments, and what none of them has; each with its edits."""

Place = tuple[str, str]
"""Construct path and rule id."""

pytestmark = pytest.mark.slow


class _TakesNoNote:
    def acknowledge(self, *rules: Any) -> None:
        """Stands in for CDK's ``Validations`` where acknowledgements are taken off."""


@pytest.fixture(scope="module", params=CASES, ids=[f"{name}{'-edited' * bool(edits)}" for name, edits in CASES])
def case(request: pytest.FixtureRequest) -> tuple[str, dict[str, Any]]:
    return request.param


@pytest.fixture(scope="module")
def nag(
    cdk: Any, app_of: Callable[..., Any], case: tuple[str, dict[str, Any]], tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., Any]:
    """``nag(with_acknowledgements=…)``: the app and what cdk-nag and CDK itself find in it."""
    from cdk_nag import AwsSolutionsChecks

    def run(*, with_acknowledgements: bool) -> tuple[Any, list[Place]]:
        outdir = tmp_path_factory.mktemp("nag") / "cdk.out"
        with pytest.MonkeyPatch.context() as patch:
            if not with_acknowledgements:
                patch.setattr(cdk.Validations, "of", lambda _construct: _TakesNoNote())
            app = app_of(*case, outdir=outdir, assets_copied=False)
        cdk.Validations.of(app).add_plugins(AwsSolutionsChecks(app))
        try:
            app.synth()
        except RuntimeError as error:  # jsii's form of CDK's ValidationFailed, which the report explains
            if not str(error).startswith("ValidationFailed"):
                raise
        return app, list(_found(outdir))

    return run


def _found(outdir: Path) -> Iterator[Place]:
    """What stands in CDK's report: the violations of cdk-nag, and CDK's own warnings as those of "Annotation"."""
    report = outdir / "validation-report.json"
    for plugin in json.loads(report.read_text())["pluginReports"] if report.exists() else []:
        for violation in plugin["violations"]:
            for construct in violation["violatingConstructs"]:
                yield construct["constructPath"], violation["ruleName"].rpartition("Annotation::")[2]


def _acknowledgements(app: Any) -> list[tuple[str, str, str]]:
    """Construct path, rule id, reason."""
    return [
        (construct.node.path, rule.rpartition("Annotation::")[2], reason)
        for construct in app.node.find_all()
        for entry in construct.node.metadata
        if entry.type == "aws:cdk:acknowledged-rules"
        for rule, reason in entry.data.items()
    ]


@pytest.fixture(scope="module")
def noted(nag: Callable[..., Any]) -> tuple[list[tuple[str, str, str]], list[Place]]:
    """The acknowledgements in an environment as it is, and what is found nevertheless."""
    app, findings = nag(with_acknowledgements=True)
    return _acknowledgements(app), findings


def test_no_finding_is_left_unacknowledged(noted: tuple[Any, list[Place]]) -> None:
    assert noted[1] == []


def test_every_acknowledgement_matches_a_finding_and_says_why(
    noted: tuple[list[tuple[str, str, str]], Any], nag: Callable[..., Any]
) -> None:
    """The findings come from a run in which all acknowledgements are taken off."""
    given, _ = noted
    _, findings = nag(with_acknowledgements=False)
    needless = [
        (path, rule)
        for path, rule, _ in given
        if not any(rule == found and f"{where}/".startswith(f"{path}/") for where, found in findings)
    ]
    assert given
    assert needless == []
    assert [path for path, _, reason in given if len(reason) < 20] == []
