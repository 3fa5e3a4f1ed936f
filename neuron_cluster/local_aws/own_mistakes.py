"""The answer where the local AWS itself fails: an error of the service that was asked, which SDKs can read."""

from __future__ import annotations

import logging

from neuron_cluster.local_aws.service import ServiceError

INTERNAL_ERROR = 500


def own_mistake(error: Exception) -> ServiceError:
    """What is said of an exception that nobody expected; where it came from, the log says."""
    logging.getLogger(__name__).error("the local AWS failed to answer a call", exc_info=error)
    words = (
        f"A defect of this local AWS, not of the call: {type(error).__name__}. What was made before it may remain; "
        "its log says where."
    )
    return ServiceError("InternalFailure", words, status=INTERNAL_ERROR)
