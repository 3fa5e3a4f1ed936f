"""Asks the account everything, all questions at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

from msgspec import Struct

from neuron_cluster.aws.errors import AwsApiError, NoAnswerError, NoCredentialsError
from neuron_cluster.deploy.preflight import cdk_bootstrap, ebs_key, principals, reservations, vcpu_quotas
from neuron_cluster.deploy.preflight.question import Asked, in_all_words
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.finding import Finding


class Question(Struct, frozen=True):
    """One of them: what it is about, the IAM actions it needs, and how it is asked."""

    what: str
    permissions: tuple[str, ...]
    ask: Callable[[Asked], Iterator[Finding]]


MODULES = (cdk_bootstrap, vcpu_quotas, principals, reservations, ebs_key)
QUESTIONS = tuple(Question(each.WHAT, each.PERMISSIONS, each.ask) for each in MODULES)
"""In the order in which a new account is set up."""


def preflight_findings(asked: Asked) -> list[Finding]:
    """Errors and warnings of all questions, in their order; one that cannot be answered is W9556.

    Raises ``ToolkitError`` for any other refusal of AWS, such as throttling.
    """
    with ThreadPoolExecutor(len(QUESTIONS)) as pool:
        answers = pool.map(lambda question: _answer(question, asked), QUESTIONS)
        return [finding for answer in answers for finding in answer]


def _answer(question: Question, asked: Asked) -> list[Finding]:
    found: list[Finding] = []
    try:
        for finding in question.ask(asked):
            found.append(finding)  # noqa: PERF402 - what was found before a refusal is kept
    except (AwsApiError, NoAnswerError) as error:
        if isinstance(error, NoCredentialsError) or (isinstance(error, AwsApiError) and not error.is_denied):
            raise
        return [*found, _not_answered(question, asked, error)]
    return found


def _not_answered(question: Question, asked: Asked, error: ToolkitError) -> Finding:
    message = f"{question.what}: not checked in {asked.destination.region}, since {error.message}"
    actions = in_all_words(question.permissions)
    hint = f"allow {actions} to the role that deploys, and deploy again; or check it with a role that may"
    return Finding("W9556", asked.locate(("account",)), message, hint)
