"""Settings of a bucket: each is put, read and taken off by calls of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from botocore.exceptions import ClientError
from msgspec import Struct

from local_aws.handlers.s3_lifecycle import api_rule, cloudformation_rule
from local_aws.handlers.shapes import call

Value = Mapping[str, Any]
NOT_SET = (
    "NoSuchLifecycleConfiguration",
    "NoSuchCORSConfiguration",
    "NoSuchPublicAccessBlockConfiguration",
    "ObjectLockConfigurationNotFoundError",
    "OwnershipControlsNotFoundError",
    "ServerSideEncryptionConfigurationNotFoundError",
)
"""Error codes by which S3 says that a bucket has no such setting."""


class BucketSetting(Struct, frozen=True):
    name: str
    """CloudFormation's property."""
    operation: str
    """``Put<operation>``, ``Get<operation>`` and, without ``off``, ``Delete<operation>``."""
    parameter: str
    """What the put takes and the get gives."""
    to_api: Callable[[Value], Value] = dict
    from_api: Callable[[Value], Value] = dict
    off: Value | None = None
    """What is put to take the setting off, for a setting that has no Delete."""
    answered_bare: bool = False
    """Whether the get answers the members without the parameter around them."""
    delete_operation: str = ""
    """Where it is not ``Delete<operation>``."""

    def put(self, client: Any, bucket: str, value: Value) -> None:
        call(client, f"Put{self.operation}", {"Bucket": bucket, self.parameter: self.to_api(value)})

    def take_off(self, client: Any, bucket: str) -> None:
        if self.off is None:
            call(client, self.delete_operation or f"Delete{self.operation}", {"Bucket": bucket})
        else:
            call(client, f"Put{self.operation}", {"Bucket": bucket, self.parameter: self.off})

    def read(self, client: Any, bucket: str) -> Value | None:
        """CloudFormation's form of the setting; None when the bucket has none."""
        try:
            answer = call(client, f"Get{self.operation}", {"Bucket": bucket})
        except ClientError as error:
            if error.response["Error"]["Code"] in NOT_SET:
                return None
            raise
        answer.pop("ResponseMetadata", None)
        value = answer if self.answered_bare else answer.get(self.parameter)
        return self.from_api(value) if value else None


def _encryption_to_api(value: Value) -> Value:
    rules = [_renamed(rule, ENCRYPTION) for rule in value.get("ServerSideEncryptionConfiguration", [])]
    return {**{k: v for k, v in value.items() if k != "ServerSideEncryptionConfiguration"}, "Rules": rules}


def _encryption_from_api(value: Value) -> Value:
    back = {new: old for old, new in ENCRYPTION.items()}
    return {"ServerSideEncryptionConfiguration": [_renamed(rule, back) for rule in value["Rules"]]}


def _cors_to_api(value: Value) -> Value:
    return {
        **{k: v for k, v in value.items() if k != "CorsRules"},
        "CORSRules": [_renamed(r, CORS) for r in value.get("CorsRules", [])],
    }


def _cors_from_api(value: Value) -> Value:
    back = {new: old for old, new in CORS.items()}
    return {"CorsRules": [_renamed(rule, back) for rule in value["CORSRules"]]}


def _logging_to_api(value: Value) -> Value:
    return {"LoggingEnabled": {"TargetPrefix": "", **_renamed(value, LOGGING)}}


def _logging_from_api(value: Value) -> Value:
    return _renamed(value["LoggingEnabled"], {new: old for old, new in LOGGING.items()})


def _lifecycle_to_api(value: Value) -> Value:
    return {**value, "Rules": [api_rule(rule) for rule in value["Rules"]]}


def _lifecycle_from_api(value: Value) -> Value:
    return {"Rules": [cloudformation_rule(rule) for rule in value["Rules"]]}


def _renamed(source: Value, names: Mapping[str, str]) -> dict[str, Any]:
    return {names.get(name, name): value for name, value in source.items()}


ENCRYPTION = {"ServerSideEncryptionByDefault": "ApplyServerSideEncryptionByDefault"}
CORS = {"Id": "ID", "MaxAge": "MaxAgeSeconds", "ExposedHeaders": "ExposeHeaders"}
LOGGING = {"DestinationBucketName": "TargetBucket", "LogFilePrefix": "TargetPrefix"}

SETTINGS = (
    BucketSetting(
        "VersioningConfiguration",
        "BucketVersioning",
        "VersioningConfiguration",
        off={"Status": "Suspended"},
        answered_bare=True,
    ),
    BucketSetting(
        "BucketEncryption",
        "BucketEncryption",
        "ServerSideEncryptionConfiguration",
        to_api=_encryption_to_api,
        from_api=_encryption_from_api,
    ),
    BucketSetting("PublicAccessBlockConfiguration", "PublicAccessBlock", "PublicAccessBlockConfiguration"),
    BucketSetting("OwnershipControls", "BucketOwnershipControls", "OwnershipControls"),
    BucketSetting(
        "LifecycleConfiguration",
        "BucketLifecycleConfiguration",
        "LifecycleConfiguration",
        to_api=_lifecycle_to_api,
        from_api=_lifecycle_from_api,
        answered_bare=True,
        delete_operation="DeleteBucketLifecycle",
    ),
    BucketSetting(
        "LoggingConfiguration",
        "BucketLogging",
        "BucketLoggingStatus",
        to_api=_logging_to_api,
        from_api=_logging_from_api,
        off={},
        answered_bare=True,
    ),
    BucketSetting(
        "CorsConfiguration",
        "BucketCors",
        "CORSConfiguration",
        to_api=_cors_to_api,
        from_api=_cors_from_api,
        answered_bare=True,
    ),
    BucketSetting(
        "ObjectLockConfiguration",
        "ObjectLockConfiguration",
        "ObjectLockConfiguration",
        off={"ObjectLockEnabled": "Enabled"},
    ),
)
