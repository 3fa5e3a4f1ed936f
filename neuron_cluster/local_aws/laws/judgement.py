"""Asks the laws about a call and refuses it in the service's words.

Source: that of the law, in the table of refusals that templates are checked for
"""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.local_aws.laws.subject import REQUEST, Subject
from neuron_cluster.local_aws.service import Call, ServiceError
from neuron_cluster.template_law.base import Law, Refusal, ResourceLaw, Verdict
from neuron_cluster.template_law.discover import all_laws
from neuron_cluster.template_law.look_up import LookUp

STACK = "request"


def refuse_by_law(call: Call, subject: Subject) -> None:
    """Raises ServiceError for the first law that the service enforces and the subject breaks."""
    for law, refusal in broken_laws(subject, call.region):
        code, words = str(law.error_code), words_of(refusal)
        if subject.passed_on is not None:
            code, opening = subject.passed_on
            words = f"{opening} {words}"
        raise ServiceError(code, words)


def broken_laws(subject: Subject, region: str) -> Iterator[tuple[Law, Refusal]]:
    """Laws of the subject's operation that it breaks, with the refusal, by the laws' ids."""
    laws = [law for law in enforced_laws(subject.operation) if law.types and subject.type_name in law.types]
    if not laws:
        return
    catalog, look_up = load_catalog(), LookUp({STACK: subject.template()}, region)
    resource = next(each for each in look_up.resources(subject.type_name) if each.logical_id == REQUEST)
    for law in laws:
        for refusal in law.check(resource, look_up, catalog):
            yield law, refusal


def enforced_laws(operation: str) -> list[ResourceLaw]:
    """Laws on resources that the service enforces in this operation."""
    return [
        law
        for law in all_laws()
        if isinstance(law, ResourceLaw) and law.operation == operation and law.verdict is Verdict.REFUSED
    ]


def words_of(refusal: Refusal) -> str:
    """The service's own sentence, or one that names the parameter."""
    return refusal.service_words or f"Invalid value for parameter {refusal.path}: {refusal.message}."
