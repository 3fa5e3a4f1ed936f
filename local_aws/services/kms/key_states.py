"""States of keys: what cannot be done to one that is disabled or waits for its deletion."""

from __future__ import annotations

from typing import Any

from local_aws.api_errors import api_error
from local_aws.guards import guard
from local_aws.kms_key_state import PENDING, key_error
from local_aws.service import Call


@guard(
    "kms",
    *("Encrypt", "GenerateDataKey", "GenerateDataKeyWithoutPlaintext", "GenerateDataKeyPair"),
    *("GenerateMac", "VerifyMac", "Sign", "Verify", "GetPublicKey", "DisableKeyRotation", "RotateKeyOnDemand"),
)
def require_usable(call: Call) -> None:
    """The key is enabled and stays; EnableKeyRotation and Decrypt, which names none, look for themselves."""
    if error := key_error(call.moto_backend("kms"), call.parameters["KeyId"]):
        raise error


@guard(
    "kms",
    *("CreateAlias", "UpdateAlias", "CreateGrant", "DisableKey", "EnableKey", "ScheduleKeyDeletion"),
    *("TagResource", "UntagResource", "UpdateKeyDescription"),
)
def require_no_deletion(call: Call) -> None:
    key = _key(call)
    if key is not None and key.key_state == PENDING:
        raise api_error("kms.pending_deletion", key=key.arn)


@guard("kms", "CancelKeyDeletion")
def require_deletion(call: Call) -> None:
    key = _key(call)
    if key is not None and key.key_state != PENDING:
        raise api_error("kms.not_pending_deletion", key=key.arn)


def _key(call: Call) -> Any:
    """None for one that KMS does not have, as it says itself."""
    backend = call.moto_backend("kms")
    named = call.parameters.get("TargetKeyId") or call.parameters["KeyId"]
    return backend.keys.get(backend.any_id_to_key_id(named))
