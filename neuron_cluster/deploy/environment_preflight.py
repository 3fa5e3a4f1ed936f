"""All preflight checks of an environment, each with a verdict: what `deploy` checks first, without a deploy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

from msgspec.structs import replace

from neuron_cluster.aws.errors import NoCredentialsError
from neuron_cluster.deploy.destination import Destination, aws_destination
from neuron_cluster.deploy.preflight import deployer
from neuron_cluster.deploy.preflight.account import preflight_context
from neuron_cluster.deploy.preflight.check import PreflightCheck, Stage
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.deploy.preflight.results import CheckResult, EnvironmentPreflight, Verdict, worst
from neuron_cluster.deploy.preflight.run import checks_of, nothing_of_it, results_of, run_check, unanswered
from neuron_cluster.deploy.recorded_metadata import with_recorded_metadata
from neuron_cluster.deploy.running_local import running_local_destination
from neuron_cluster.deploy.work_folder import work_folder
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.finding import Finding
from neuron_cluster.lock.paths import as_argument
from neuron_cluster.opened_environment import OpenedEnvironment

WITH_LOCK = (Stage.PINS, Stage.NAME, Stage.STACKS, Stage.PERMISSIONS)
"""Stages that use the lock of the deploy."""
UNKNOWN_ACCOUNT = "not queried: the account may be another than that of the file"


@contextmanager
def preflight_destination(opened: OpenedEnvironment, *, is_local: bool) -> Iterator[Destination]:
    """AWS, or the local AWS that runs for the project. Raises ``ToolkitError`` where none does."""
    if is_local:
        with running_local_destination(opened.project.root, opened.plan) as destination:
            yield destination
    else:
        yield aws_destination(opened.plan.account, opened.plan.region)


def environment_preflight(opened: OpenedEnvironment, destination: Destination, at: datetime) -> EnvironmentPreflight:
    """Runs every check, and changes nothing. A call without an answer is a verdict of its check.

    After an error in the account of the credentials no other call is made: it could reach another account than that
    of the file. Raises ``ToolkitError`` where there are no credentials, or the lock of a deploy would not be valid.
    """
    context = preflight_context(opened, destination)
    results = _of_identity(context)
    if worst(results) in (Verdict.ERROR, Verdict.NOT_CHECKED):
        stages = (Stage.ACCOUNT, *WITH_LOCK)
        results += [_not_made(check, context, UNKNOWN_ACCOUNT) for stage in stages for check in checks_of(stage)]
    else:
        results += [*results_of(Stage.ACCOUNT, context), *_with_lock(context)]
    shown = (replace(each, findings=(*each.findings, *_of_error(each, context))) for each in results)
    plan = opened.plan
    return EnvironmentPreflight(
        plan.name, plan.account, plan.region, at, tuple(shown), tuple(_not_looked_at(opened, destination))
    )


def _of_identity(context: PreflightContext) -> list[CheckResult]:
    """The results up to the first error: with ids of examples no call is made."""
    results: list[CheckResult] = []
    for check in checks_of(Stage.IDENTITY):
        is_stopped = worst(results) is Verdict.ERROR
        results.append(_not_made(check, context, UNKNOWN_ACCOUNT) if is_stopped else run_check(check, context))
    return results


def _with_lock(context: PreflightContext) -> list[CheckResult]:
    """The results of the stages that use the lock of the deploy, which is written to a temporary folder."""
    with work_folder() as folder:
        try:
            opened = with_recorded_metadata(context.environment, context.destination, folder)
        except NoCredentialsError:
            raise
        except ToolkitError as error:
            reason = f"the lock of the deploy is not known: {error.message}"
            return [_not_made(check, context, reason) for stage in WITH_LOCK for check in checks_of(stage)]
        context = preflight_context(opened, context.destination)
        return [result for stage in WITH_LOCK for result in results_of(stage, context)]


def _not_made(check: PreflightCheck, context: PreflightContext, reason: str) -> CheckResult:
    """A check that the environment needs and that was not made."""
    subjects = tuple(check.subjects(context))
    return CheckResult(check, subjects, reason=reason if subjects else nothing_of_it(context))


def _of_error(result: CheckResult, context: PreflightContext) -> Sequence[Finding]:
    """W9556 for a call without an answer; any other error of a check is a finding of its own."""
    error = result.error
    if error is None:
        return ()
    found = unanswered(result, context)
    return found or [Finding(error.finding_id, context.locate(("name",)), error.message, error.hint)]


def _not_looked_at(opened: OpenedEnvironment, destination: Destination) -> Iterator[str]:
    local = " --local" if destination.is_local else ""
    argument = as_argument(opened.file.display_name)
    yield f"warnings about the file (`neuron-cluster validate{local} {argument}`)"
    yield f"edits of what is deployed (`neuron-cluster diff{local} {argument}`)"
    yield "free instances of EC2, which no call returns before a launch"
    if destination.prepares_account:
        yield "quotas, keys and roles of an account (`neuron-cluster local --fresh-account` plays a new one)"
    if not destination.is_local:
        yield deployer.NOT_SEEN
    storage = opened.plan.storage
    replication = storage.bucket.replication if storage is not None and storage.bucket is not None else None
    if replication is not None and replication.is_other_account:
        yield f"the bucket {replication.bucket}, which belongs to another account"
