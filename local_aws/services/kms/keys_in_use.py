"""Keys that EC2, CloudWatch Logs and S3 are given: refused while they cannot be used."""

from __future__ import annotations

from typing import Any

from moto.s3.exceptions import S3ClientError
from moto.s3.models import S3Backend

from local_aws.clients import moto_backend
from local_aws.guards import guard
from local_aws.kms_key_state import require_usable_key
from local_aws.service import Call, ServiceError
from local_aws.services.overrides import override


@guard("ec2", "CreateVolume")
def require_key_of_volume(call: Call) -> None:
    """EC2 takes the call and fails the volume a moment later; here nothing takes a moment. The code is inferred."""
    require_usable_key(
        call.moto_backend("kms"),
        call.parameters.get("KmsKeyId"),
        lambda _code, words: ServiceError("InvalidKmsKey.InvalidState", f"The KMS key cannot be used: {words}"),
    )


@guard("logs", "CreateLogGroup", "AssociateKmsKey")
def require_key_of_log_group(call: Call) -> None:
    """API_AssociateKmsKey: "If you attempt to associate a KMS key … but the KMS key is disabled"."""
    require_usable_key(
        call.moto_backend("kms"),
        call.parameters.get("kmsKeyId"),
        lambda _code, words: ServiceError("InvalidParameterException", f"The KMS key cannot be used: {words}"),
    )


@override(S3Backend, "put_object")
def put_object(original: Any, backend: Any, bucket_name: str, *args: Any, **kwargs: Any) -> Any:
    """The key is asked for when an object is written: a bucket may name one that cannot be used."""
    bucket = backend.get_bucket(bucket_name)
    default = bucket.encryption["Rule"]["ApplyServerSideEncryptionByDefault"] if bucket.encryption else {}
    require_usable_key(
        moto_backend("kms", bucket.account_id, bucket.region_name),
        kwargs.get("kms_key_id") or (None if kwargs.get("encryption") == "AES256" else default.get("KMSMasterKeyID")),
        lambda code, words: S3ClientError(f"KMS.{code}", words),
    )
    return original(bucket_name, *args, **kwargs)
