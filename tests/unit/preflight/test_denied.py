"""A caller that may not read everything: what was not asked never passes."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from botocore.client import BaseClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from local_aws.server import LocalAws
from neuron_cluster.aws.session import close_clients
from neuron_cluster.deploy.preflight.account import preflight_context
from neuron_cluster.deploy.preflight.results import EnvironmentPreflight, Verdict
from neuron_cluster.deploy.preflight.run import run_check
from neuron_cluster.deploy.preflight.table import preflight_checks
from neuron_cluster.opened_environment import OpenedEnvironment

from .conftest import EXISTING, Account

pytestmark = pytest.mark.slow
CallName = tuple[str, str]
"""Service and operation."""
FEW = 10
MORE = tuple(pytest.param(name, marks=pytest.mark.exhaustive) for name in ("train-trn1", "slurm-trn1", "train-trn2"))
READS = ("Describe", "Get", "Head", "List")
FOR_A_HINT = {("ssm", "DescribeParameters"), ("service-quotas", "ListRequestedServiceQuotaChangeHistoryByQuota")}
"""Calls whose answer is in a hint alone: without it the check has its verdict."""


class Tried:
    """An environment in an account that is ready for it, and the calls of each check."""

    def __init__(self, account: Account, name: str) -> None:
        account.aws.empty()
        self.opened = account.opened(name)
        self.account = account = account._replace(region=self.opened.plan.region)
        account.make_ready(self.opened)
        self.calls = calls_of(account, self.opened)
        self.whole = account.preflight(self.opened)

    @property
    def made(self) -> list[CallName]:
        return sorted({call for calls in self.calls.values() for call in calls})

    def without(self, denied: Collection[CallName]) -> EnvironmentPreflight:
        with ExitStack() as faults:
            for service, operation in denied:
                faults.enter_context(self.account.aws.faults.access_denied(service, operation))
            return self.account.preflight(self.opened)


def calls_of(account: Account, opened: OpenedEnvironment) -> dict[str, set[CallName]]:
    """The calls of each check, by its subject."""
    context = preflight_context(opened, account.destination)
    made: dict[str, set[CallName]] = {}
    call = BaseClient._make_api_call

    for check in preflight_checks():

        def noted(made_by: object, operation: str, parameters: object, what: str = check.what) -> object:
            made.setdefault(what, set()).add((made_by.meta.service_model.service_name, operation))  # type: ignore[attr-defined]
            return call(made_by, operation, parameters)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(BaseClient, "_make_api_call", noted)
            run_check(check, context)
    return made


@pytest.fixture(scope="module")
def tried(request: pytest.FixtureRequest, aws: LocalAws, project: Path) -> Iterator[Tried]:
    made = Tried(Account(aws, project), request.param)
    yield made
    close_clients(made.account.target)


def passed(found: EnvironmentPreflight) -> set[str]:
    return {result.check.what for result in found.results if result.verdict is Verdict.PASSED}


@pytest.mark.parametrize("tried", ["dev-inf2", EXISTING, *MORE], indirect=True)
def test_only_calls_that_read_are_made_and_each_check_that_passed_made_one(tried: Tried) -> None:
    assert [call for call in tried.made if not call[1].startswith(READS)] == []
    assert passed(tried.whole) - tried.calls.keys() <= {"AMIs of nodes"}, "which the plan has"
    assert tried.calls.keys() <= {result.check.what for result in tried.whole.results if result.subjects}


@pytest.mark.parametrize("tried", ["dev-inf2", *MORE], indirect=True)
def test_each_denied_call_is_a_check_without_a_verdict_and_status_1(tried: Tried) -> None:
    for call in tried.made:
        found = tried.without([call])
        for what, calls in tried.calls.items():
            if call in calls - FOR_A_HINT:
                assert what not in passed(found), (call, what)
        assert passed(found) <= passed(tried.whole)
        is_hidden = any(call in calls - FOR_A_HINT for calls in tried.calls.values())
        assert found.exit_status(Verdict.ERROR) != 0 or not is_hidden, call
        if tried.whole.exit_status(Verdict.ERROR) == 0:
            assert found.exit_status(Verdict.WARNING) == int(is_hidden), call
        assert all(each.hint for each in found.findings)


@pytest.mark.parametrize("tried", [EXISTING, *MORE], indirect=True)
@pytest.mark.parametrize("examples", [FEW, pytest.param(200, marks=pytest.mark.exhaustive)])
def test_random_denied_calls_never_let_pass_what_they_hide(examples: int, tried: Tried) -> None:
    @settings(
        max_examples=examples, deadline=None, derandomize=examples == FEW, suppress_health_check=list(HealthCheck)
    )
    @given(st.sets(st.sampled_from(tried.made), min_size=1))
    def nothing_unseen_passes(denied: set[CallName]) -> None:
        found = tried.without(denied)
        hidden = {what for what, calls in tried.calls.items() if (calls - FOR_A_HINT) & denied}
        assert passed(found) & hidden == set()
        assert passed(found) <= passed(tried.whole)
        assert found.exit_status(Verdict.WARNING) != 0 or not hidden

    nothing_unseen_passes()
