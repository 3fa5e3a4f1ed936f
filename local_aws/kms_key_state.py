"""Whether a service can use a key that it is given: not one that waits for its deletion or is disabled.

Services pass on the message with codes of their own.
"""

from __future__ import annotations

from typing import Any

from local_aws.api_errors import api_error
from local_aws.service import ServiceError

PENDING = "PendingDeletion"


def key_error(kms: Any, key: str | None) -> ServiceError | None:
    """The error of KMS for a key of moto's backend ``kms`` that no service can use now; None for a usable one.

    A key that the backend does not have may be another account's; whether there must be one, each service says.
    """
    found = kms.keys.get(kms.any_id_to_key_id(key)) if key else None
    if found is None:
        return None
    if found.key_state == PENDING:
        return api_error("kms.pending_deletion", key=found.arn)
    return None if found.enabled else api_error("kms.disabled", key=found.arn)
