"""Key specs, usages and origins that go together."""

from __future__ import annotations

import re
from typing import Any

from moto.kms.models import KmsBackend

from local_aws.api_errors import api_error
from local_aws.service import Call, guard
from local_aws.services.overrides import override

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
"""What keys of a spec can be used for."""
IN_CHINA_ALONE = "SM2"
NOT_IMPORTED = "ML_DSA_"
NOT_IN_MOTO = ("ML_DSA_", "ECC_NIST_EDWARDS")
INSTEAD = "RSA_2048"
"""What moto makes in place of a spec that it does not know."""


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
