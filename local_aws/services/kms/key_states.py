"""States of keys: what cannot be done to one that is disabled or waits for its deletion, and how long it waits."""

from __future__ import annotations

from typing import Any

from local_aws.guards import guard
from local_aws.kms_key_state import PENDING, require_usable_key
from local_aws.service import Call, ServiceError

WAITING_DAYS = range(7, 31)
"""https://docs.aws.amazon.com/kms/latest/APIReference/API_ScheduleKeyDeletion.html, PendingWindowInDays."""


@guard(
    "kms",
    *("Encrypt", "GenerateDataKey", "GenerateDataKeyWithoutPlaintext", "GenerateDataKeyPair"),
    *("GenerateMac", "VerifyMac", "Sign", "Verify", "GetPublicKey", "DisableKeyRotation", "RotateKeyOnDemand"),
)
def require_usable(call: Call) -> None:
    """The key is enabled and stays; EnableKeyRotation and Decrypt, which names none, look for themselves."""
    require_usable_key(call.moto_backend("kms"), call.parameters["KeyId"], ServiceError)


@guard(
    "kms",
    *("CreateAlias", "UpdateAlias", "CreateGrant", "DisableKey", "EnableKey", "ScheduleKeyDeletion"),
    *("TagResource", "UntagResource", "UpdateKeyDescription"),
)
def require_no_deletion(call: Call) -> None:
    """Source: https://docs.aws.amazon.com/kms/latest/developerguide/key-state.html."""
    key = _key(call)
    if key is not None and key.key_state == PENDING:
        raise ServiceError("KMSInvalidStateException", f"{key.arn} is pending deletion.")


@guard("kms", "CancelKeyDeletion")
def require_deletion(call: Call) -> None:
    """Source: https://docs.aws.amazon.com/kms/latest/developerguide/key-state.html."""
    key = _key(call)
    if key is not None and key.key_state != PENDING:
        raise ServiceError("KMSInvalidStateException", f"{key.arn} is not pending deletion.")


@guard("kms", "ScheduleKeyDeletion")
def require_waiting_period(call: Call) -> None:
    """moto ignores any other one, and then schedules nothing."""
    days = call.parameters.get("PendingWindowInDays")
    if days is not None and days not in WAITING_DAYS:
        words = f"PendingWindowInDays {days} is not between {WAITING_DAYS[0]} and {WAITING_DAYS[-1]}."
        # Source: inferred: the code, which services give to a value out of their model; KMS's own model has none.
        raise ServiceError("ValidationException", words)


def _key(call: Call) -> Any:
    """None for one that KMS does not have, as it says itself."""
    backend = call.moto_backend("kms")
    named = call.parameters.get("TargetKeyId") or call.parameters["KeyId"]
    return backend.keys.get(backend.any_id_to_key_id(named))
