"""Keys: a policy that somebody can change; specs, usages and origins that go together; uses and rotation."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from moto.kms.models import Key, KmsBackend

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.registry import guard, operation
from local_aws.services.iam.policy_documents import EVERYBODY, allowed_principals, policy_fault, statements
from local_aws.services.iam.policy_principals import unknown_principals
from local_aws.services.kms.key_states import key_error
from local_aws.services.overrides import override

CHANGES_POLICY = "kms:PutKeyPolicy"


@guard("kms", "CreateKey", "PutKeyPolicy")
def require_key_policy(call: Call) -> None:
    """Who calls is known by account only, so that any principal of the account is the caller."""
    text = call.parameters.get("Policy")
    if text is None:
        return
    fault = policy_fault(text)
    if fault is not None:
        raise api_error("kms.malformed_policy", fault=fault)
    if any(unknown_principals(call, json.loads(text))):
        raise api_error("kms.unknown_principals")
    if call.parameters.get("BypassPolicyLockoutSafetyCheck"):
        return
    keepers = (
        each for statement in statements(json.loads(text)) for each in allowed_principals(statement, CHANGES_POLICY)
    )
    if not any(each in (EVERYBODY, call.account) or f"::{call.account}:" in each for each in keepers):
        raise api_error("kms.lockout")


SYMMETRIC, ENCRYPT = "SYMMETRIC_DEFAULT", "ENCRYPT_DECRYPT"
SIGN, AGREE, MAC = "SIGN_VERIFY", "KEY_AGREEMENT", "GENERATE_VERIFY_MAC"
USAGES = {
    re.compile(SYMMETRIC): (ENCRYPT,),
    re.compile(r"HMAC_\d+"): (MAC,),
    re.compile(r"RSA_\d+"): (ENCRYPT, SIGN),
    re.compile(r"ECC_NIST_P\d+"): (SIGN, AGREE),
    re.compile(r"ECC_NIST_EDWARDS25519|ECC_SECG_P256K1|ML_DSA_\d+"): (SIGN,),
    re.compile("SM2"): (ENCRYPT, SIGN, AGREE),
}
"""Usages of keys of a spec."""
IN_CHINA_ALONE = "SM2"
NOT_IMPORTED = "ML_DSA_"
NOT_IN_MOTO = ("ML_DSA_", "ECC_NIST_EDWARDS")
INSTEAD = "RSA_2048"
"""The spec that moto uses in place of one that it does not have."""


@guard("kms", "CreateKey")
def require_key_spec(call: Call) -> None:
    given = call.parameters
    spec = given.get("KeySpec", given.get("CustomerMasterKeySpec", SYMMETRIC))
    usage, origin = given.get("KeyUsage", ENCRYPT), given.get("Origin", "AWS_KMS")
    if spec == IN_CHINA_ALONE and not call.region.startswith("cn-"):
        raise api_error("kms.region_without_spec", spec=spec)
    usages = next((usages for pattern, usages in USAGES.items() if pattern.fullmatch(spec)), (usage,))
    if usage not in usages:
        if "KeyUsage" not in given:
            raise api_error("kms.usage_required", spec=spec)
        raise api_error("kms.usage_of_spec", usage=usage, spec=spec)
    if origin == "EXTERNAL" and spec.startswith(NOT_IMPORTED):
        raise api_error("kms.origin_of_spec", spec=spec, origin=origin)


@override(KmsBackend, "create_key")
def create_key(
    original: Any, _backend: Any, policy: Any, key_usage: str, key_spec: str | None, *args: Any, **kwargs: Any
) -> Any:
    """moto does not know some keys for signatures; such a key is described as one, and signs nothing here."""
    is_known = not (key_spec or "").startswith(NOT_IN_MOTO)
    key = original(policy, key_usage, key_spec if is_known else INSTEAD, *args, **kwargs)
    if not is_known:
        key.key_spec = key_spec
    return key


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
    if key.key_spec != "SYMMETRIC_DEFAULT" or key.origin == "EXTERNAL":
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
