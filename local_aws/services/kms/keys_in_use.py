"""Keys that EC2, CloudWatch Logs and S3 are given: refused while they cannot be used."""

from __future__ import annotations

from typing import Any

from moto.s3.exceptions import S3ClientError
from moto.s3.models import S3Backend

from local_aws.api_errors import api_error
from local_aws.clients import moto_backend
from local_aws.guards import guard
from local_aws.kms_key_state import key_error
from local_aws.service import Call
from local_aws.services.overrides import override


@guard("ec2", "CreateVolume")
def require_key_of_volume(call: Call) -> None:
    """EC2 takes the call and fails the volume a moment later; here nothing takes a moment."""
    if error := key_error(call.moto_backend("kms"), call.parameters.get("KmsKeyId")):
        raise api_error("ec2.volume_key", reason=error.message)


@guard("logs", "CreateLogGroup", "AssociateKmsKey")
def require_key_of_log_group(call: Call) -> None:
    if error := key_error(call.moto_backend("kms"), call.parameters.get("kmsKeyId")):
        raise api_error("logs.key_unusable", reason=error.message)


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
