"""Which Regions the account may ask."""

from __future__ import annotations

from collections.abc import Mapping

from neuron_cluster.aws.errors import AwsApiError
from neuron_cluster.aws.session import Target
from neuron_cluster.aws.sts import caller_account
from neuron_cluster.errors import ToolkitError

NOT_ENABLED = frozenset({"InvalidClientTokenId", "UnrecognizedClientException", "OptInRequired", "AuthFailure"})
"""Error codes of a Region that the account has not enabled."""


def reachable(targets: Mapping[str, Target]) -> tuple[dict[str, Target], list[str]]:
    """The Regions that answer, and a note for each that does not. Raises ToolkitError when none does."""
    answering: dict[str, Target] = {}
    notes: list[str] = []
    failure = ToolkitError("no Region to ask", hint="name one with --region")
    for region, target in targets.items():
        try:
            caller_account(target)
        except AwsApiError as error:
            if error.code not in NOT_ENABLED:
                raise
            notes.append(f"{region} was not asked: {error.message}; what the catalog says of it stays")
            failure = error
        else:
            answering[region] = target
    if not answering:
        raise failure
    return answering, notes
