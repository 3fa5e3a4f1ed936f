"""A caller that may not read everything: what it could not see is never healthy."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import ExitStack
from datetime import UTC, datetime
from typing import Any

import pytest
from botocore.client import BaseClient
from hint_commands import command_error
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.protocol.status import StatusLine, Verdict
from neuron_cluster.status.environment_status import EnvironmentStatus, read_status

from .breaks import HEALED, NAME, heal
from .conftest import Deployed, Environment, Line
from .permissions import undocumented

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]
CallName = tuple[str, str]
"""Service and operation."""
EXAMPLES = 200
TRIED: set[CallName] = {("s3", "CreateSession")}
"""Calls that were denied for an environment before; boto3 keeps a session of S3 Express for minutes."""
ENVIRONMENTS = ("train-trn1", "storage-kinds", "slurm-storage")


@pytest.fixture(scope="module", params=ENVIRONMENTS)
def environment(request: pytest.FixtureRequest, deployed: Deployed) -> Environment:
    return deployed(request.param)


def calls_of(environment: Environment) -> list[CallName]:
    """The calls that `status` makes where nothing is wrong, each once."""
    made: list[CallName] = []
    call = BaseClient._make_api_call

    def noted(client: Any, operation: str, parameters: Any) -> Any:
        made.append((client.meta.service_model.service_name, operation))
        return call(client, operation, parameters)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseClient, "_make_api_call", noted)
        assert status_of(environment).exit_status(Verdict.WARNING) == 0
    return list(dict.fromkeys(made))


def status_of(environment: Environment, denied: Collection[CallName] = ()) -> EnvironmentStatus:
    plan = environment.plan
    access = local_destination(environment.aws.endpoint, plan.account, plan.region)
    with ExitStack() as faults:
        for service, operation in denied:
            faults.enter_context(environment.aws.faults.access_denied(service, operation))
        return read_status(
            plan, access, load_catalog(), at=datetime.now(UTC), argument=plan.name, of_file=lambda _deployed: None
        )


def healthy(status: EnvironmentStatus) -> set[tuple[str, str, str]]:
    return {
        (section.title, line.subject, line.cause)
        for section in status.sections
        for line in section.lines
        if line.verdict is Verdict.HEALTHY
    }


def is_actionable(line: StatusLine) -> bool:
    """Whether it has a cause, and a next command that a shell and the program understand."""
    return bool(line.cause) and {command_error(each) for each in line.command.split(" && ")} == {""}


def not_read(status: EnvironmentStatus) -> list[StatusLine]:
    return [line for line in status.lines if line.verdict is Verdict.NOT_READ]


def test_each_denied_call_is_a_line_of_its_own_and_nothing_more_is_healthy(environment: Environment) -> None:
    calls = [each for each in calls_of(environment) if each not in TRIED]
    TRIED.update(calls)
    assert undocumented(calls) == []
    seen = healthy(status_of(environment))
    for service, operation in calls:
        status = status_of(environment, [(service, operation)])
        lines = not_read(status)
        assert [line for line in lines if f"{service}:{operation}" in line.cause], operation
        assert all("sts get-caller-identity" in line.command for line in lines)
        assert (status.verdict, status.exit_status(Verdict.WARNING)) == (Verdict.NOT_READ, 1), operation
        assert healthy(status) <= seen, operation


def test_random_denied_calls_never_make_a_broken_part_healthy(deployed: Deployed) -> None:
    environment = deployed(NAME)
    calls = calls_of(environment)
    whole: dict[str, EnvironmentStatus] = {}

    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.sampled_from(sorted(HEALED)), st.sets(st.sampled_from(calls), max_size=len(calls)))
    def nothing_unseen_is_healthy(name: str, denied: set[CallName]) -> None:
        HEALED[name].break_it(environment)
        seen = whole[name] = whole.get(name) or status_of(environment)
        partly = status_of(environment, denied)
        for line in seen.lines:
            if line.verdict is not Verdict.HEALTHY:
                heal(environment, Line("", line.subject, line.verdict.value, line.cause, line.command))
        assert healthy(partly) <= healthy(seen)
        assert [line for line in partly.lines if line.verdict is not Verdict.HEALTHY and not is_actionable(line)] == []
        assert partly.exit_status(Verdict.WARNING) != 0

    nothing_unseen_is_healthy()
