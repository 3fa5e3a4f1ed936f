"""Whether a service can use a key that it is given: not one that waits for its deletion or is disabled.

Source: https://docs.aws.amazon.com/kms/latest/developerguide/key-state.html. Services pass on the words with codes of
their own: FSx BadRequest, CloudWatch Logs InvalidParameterException, S3 KMS's with KMS before it; EC2's
InvalidKmsKey.InvalidState and EKS's InvalidParameterException are inferred.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

PENDING = "PendingDeletion"


def require_usable_key(kms: Any, key: str | None, refusal: Callable[[str, str], Exception]) -> None:
    """Raises the ``refusal`` for a key of moto's backend ``kms`` that no service can use now.

    It is made of the code and the message with which KMS refuses the service. A key that the backend does not have may
    be another account's; whether there must be one, each service says.
    """
    found = kms.keys.get(kms.any_id_to_key_id(key)) if key else None
    if found is None:
        return
    if found.key_state == PENDING:
        raise refusal("KMSInvalidStateException", f"{found.arn} is pending deletion.")
    if not found.enabled:
        raise refusal("DisabledException", f"{found.arn} is disabled.")
