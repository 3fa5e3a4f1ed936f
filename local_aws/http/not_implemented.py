"""The answer to a call that nobody here knows: an error of its service, as far as the service can be told."""

from __future__ import annotations

from local_aws.service import ServiceError

NOT_IMPLEMENTED = 501
"""SDKs do not try again after it."""


def unknown_call(asked: str, reason: str) -> ServiceError:
    """The refusal of what moto does not have, or of what was asked of it."""
    first_sentence = reason.partition(". ")[0]
    words = (
        f"This local AWS does not know this call of {asked} ({first_sentence}); docs/local-aws.md says what it does."
    )
    return ServiceError("NotImplemented", words, status=NOT_IMPLEMENTED)


def no_such_region(region: str, service: str) -> ServiceError:
    """AWS has nothing there that could answer."""
    words = f"This local AWS: there is no Region {region}, and so nothing there that answers for {service}."
    return ServiceError("UnrecognizedClientException", words)
