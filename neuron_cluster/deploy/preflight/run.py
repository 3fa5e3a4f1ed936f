"""Runs preflight checks, those of a stage at the same time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from neuron_cluster.aws.errors import AwsApiError, NoCredentialsError, NoResponseError
from neuron_cluster.deploy.preflight.check import PreflightCheck, Stage
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.deploy.preflight.results import CheckResult
from neuron_cluster.deploy.preflight.table import preflight_checks
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.finding import Finding
from neuron_cluster.findings.text import listed
from neuron_cluster.protocol.preflight import NotQueriedError

PREPARED = "`deploy --local` prepares the local AWS itself, which has no quotas and keys of an account"


def checks_of(stage: Stage) -> list[PreflightCheck]:
    return [check for check in preflight_checks() if check.stage is stage]


def results_of(stage: Stage, context: PreflightContext) -> list[CheckResult]:
    """The results of a stage, in the order of the table. Raises ``NoCredentialsError`` without credentials."""
    checks = checks_of(stage)
    with ThreadPoolExecutor(len(checks)) as pool:
        return list(pool.map(lambda check: run_check(check, context), checks))


def findings_of(stage: Stage, context: PreflightContext, *, until_found: bool = False) -> list[Finding]:
    """Findings of a stage of a deploy, one check after the other. Raises ``ToolkitError`` for what ends a check.

    With ``until_found`` no check runs after one that has findings.
    """
    found: list[Finding] = []
    for check in checks_of(stage):
        result = run_check(check, context)
        if result.error is not None:
            raise result.error
        found += result.findings
        if found and until_found:
            break
    return found


def preflight_findings(context: PreflightContext) -> list[Finding]:
    """Errors and warnings of the account, in the order of the table; W9556 where permissions are missing.

    Raises ``ToolkitError`` for any other API error, such as throttling.
    """
    results = results_of(Stage.ACCOUNT, context)
    for result in results:
        if isinstance(result.error, AwsApiError) and not result.error.is_denied:
            raise result.error
    return [finding for result in results for finding in (*result.findings, *unanswered(result, context))]


def run_check(check: PreflightCheck, context: PreflightContext) -> CheckResult:
    """Runs one check where the environment needs it. Findings before an error are kept.

    Raises ``NoCredentialsError``: then nothing can be looked at.
    """
    if context.destination.prepares_account and not check.is_of_existing:
        return CheckResult(check, reason=PREPARED)
    subjects = tuple(check.subjects(context))
    if not subjects:
        return CheckResult(check, reason=nothing_of_it(context))
    found: list[Finding] = []
    try:
        for finding in check.check(context):
            found.append(finding)  # noqa: PERF402 - what was found before an API error is kept
    except NoCredentialsError:
        raise
    except NotQueriedError as error:
        return CheckResult(check, subjects, tuple(found), str(error))
    except ToolkitError as error:
        return CheckResult(check, subjects, tuple(found), error=error)
    return CheckResult(check, subjects, tuple(found))


def unanswered(result: CheckResult, context: PreflightContext) -> list[Finding]:
    """W9556 for a check that a call without an answer ended; nothing for others."""
    error, check = result.error, result.check
    if not isinstance(error, (AwsApiError, NoResponseError)):
        return []
    message = f"{check.what}: not checked in {context.destination.region}, since {error.message}"
    if isinstance(error, AwsApiError) and not error.is_denied:
        return [Finding("W9556", context.locate(("account",)), message, error.hint or "run the command again")]
    actions = listed(check.permissions)
    hint = f"allow {actions} to the role that deploys, and run the command again; or check it with a role that may"
    return [Finding("W9556", context.locate(("account",)), message, hint)]


def nothing_of_it(context: PreflightContext) -> str:
    """The reason of a check that is not needed."""
    local = " on the local AWS" if context.destination.is_local else ""
    return f"the environment has nothing of the kind{local}"
