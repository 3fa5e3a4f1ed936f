"""Keys: none is used while it waits for its deletion or is disabled; the rotation period is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from moto.kms.models import Key, KmsBackend

from local_aws.api_errors import api_error
from local_aws.service import Call, operation
from local_aws.services.kms.key_states import key_error
from local_aws.services.overrides import override

DEFAULT_PERIOD_DAYS = 365


@override(Key, "to_dict")
def describe_with_defaults(original: Any, _key: Any) -> Any:
    """moto leaves out what was not given at creation."""
    metadata = original()["KeyMetadata"]
    defaults = {"KeyUsage": "ENCRYPT_DECRYPT", "MultiRegion": False}
    return {"KeyMetadata": {**metadata, **{k: v for k, v in defaults.items() if metadata.get(k) is None}}}


@override(KmsBackend, "decrypt")
def decrypt(original: Any, backend: Any, *args: Any, **kwargs: Any) -> Any:
    answer = original(*args, **kwargs)
    if error := key_error(backend, answer[1]):
        raise error
    return answer


def take_arn(original: Any, backend: Any, key_id: str, *args: Any, **kwargs: Any) -> Any:
    """moto takes the bare id alone."""
    return original(backend.get_key_id(key_id), *args, **kwargs)


for _name in ("disable_key", "enable_key", "schedule_key_deletion", "cancel_key_deletion"):
    override(KmsBackend, _name)(take_arn)


@operation("kms", "EnableKeyRotation")
def enable_key_rotation(call: Call) -> Mapping[str, Any]:
    key = _key(call)
    if error := key_error(call.moto_backend("kms"), key.arn):
        raise error
    if key.key_spec != "SYMMETRIC_DEFAULT":
        raise api_error("kms.not_symmetric", key=key.arn)
    days = call.parameters.get("RotationPeriodInDays", DEFAULT_PERIOD_DAYS)
    key.key_rotation_status = True
    key.rotation_period_in_days = days
    return {}


@operation("kms", "GetKeyRotationStatus")
def get_key_rotation_status(call: Call) -> Mapping[str, Any]:
    key = _key(call)
    if not key.key_rotation_status:
        return {"KeyId": key.id, "KeyRotationEnabled": False}
    return {"KeyId": key.id, "KeyRotationEnabled": True, "RotationPeriodInDays": key.rotation_period_in_days}


def _key(call: Call) -> Any:
    backend = call.moto_backend("kms")
    key = backend.keys.get(backend.get_key_id(call.parameters["KeyId"]))
    if key is None:
        raise api_error("kms.not_found", key=call.parameters["KeyId"])
    return key
