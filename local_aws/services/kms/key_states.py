"""States of keys: what cannot be done with one that is disabled or waits for its deletion."""

from __future__ import annotations

from typing import Any

from moto.s3.exceptions import S3ClientError
from moto.s3.models import S3Backend

from local_aws.api_errors import api_error
from local_aws.clients import moto_backend
from local_aws.contract import Call, ServiceError
from local_aws.registry import guard
from local_aws.services.overrides import override

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


@guard("ec2", "CreateVolume")
def require_key_of_volume(call: Call) -> None:
    """EC2 takes the call and fails the volume a moment later; here nothing takes a moment."""
    key, kms = call.parameters.get("KmsKeyId"), call.moto_backend("kms")
    if error := key_error(kms, key):
        raise api_error("ec2.volume_key", reason=error.message)
    own = f":kms:{call.region}:{call.account}:key/"
    if key is not None and own in key and key.rpartition("/")[2] not in kms.keys:
        raise api_error("ec2.volume_key", reason=api_error("kms.not_found", key=key).message)


@override(S3Backend, "put_object")
def put_object(original: Any, backend: Any, bucket_name: str, *args: Any, **kwargs: Any) -> Any:
    """The key is asked for when an object is written: a bucket may name one that cannot be used."""
    bucket = backend.get_bucket(bucket_name)
    default = bucket.encryption["Rule"]["ApplyServerSideEncryptionByDefault"] if bucket.encryption else {}
    key = kwargs.get("kms_key_id") or (None if kwargs.get("encryption") == "AES256" else default.get("KMSMasterKeyID"))
    if error := key_error(moto_backend("kms", bucket.account_id, bucket.region_name), key):
        # Source: inferred: "KMS." before the code of KMS
        raise S3ClientError(f"KMS.{error.code}", error.message)
    return original(bucket_name, *args, **kwargs)
