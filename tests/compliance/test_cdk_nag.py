"""cdk-nag's AwsSolutions pack over the shipped environments, and whether every acknowledgement is needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .conftest import AUTO_MODE, IMAGE_CACHE, SHIPPED, SOFTWARE, also
from .nag import Note, Place, acknowledgements, needless, run_packs

CASES = [
    *SHIPPED,
    also("train-trn1", AUTO_MODE | IMAGE_CACHE, "auto-mode"),
    also("train-trn1", SOFTWARE, "software"),
]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", params=CASES)
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
        return run_packs(cdk, app_of, case, (AwsSolutionsChecks,), outdir, with_acknowledgements=with_acknowledgements)

    return run


@pytest.fixture(scope="module")
def noted(nag: Callable[..., Any]) -> tuple[list[Note], list[Place]]:
    """The acknowledgements in an environment as it is, and what is found nevertheless."""
    app, findings = nag(with_acknowledgements=True)
    return acknowledgements(app, of_standards=False), findings


def test_no_finding_is_left_unacknowledged(noted: tuple[Any, list[Place]]) -> None:
    assert noted[1] == []


def test_every_acknowledgement_matches_a_finding_and_says_why(
    noted: tuple[list[Note], Any], nag: Callable[..., Any]
) -> None:
    """The findings come from a run in which all acknowledgements are taken off."""
    given, _ = noted
    _, findings = nag(with_acknowledgements=False)
    assert given
    assert needless(given, findings) == []
    assert [path for path, _, reason in given if len(reason) < 20] == []
