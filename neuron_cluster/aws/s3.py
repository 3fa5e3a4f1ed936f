"""S3 buckets."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec import Struct

from neuron_cluster.aws.errors import AwsApiError, translated
from neuron_cluster.aws.session import Target, client

_ABSENT = frozenset({
    "NoSuchBucket", "404", "NoSuchPublicAccessBlockConfiguration", "ServerSideEncryptionConfigurationNotFoundError",
    "ObjectLockConfigurationNotFoundError",
})  # fmt: skip

KEYS_OF_ONE_CALL = 1000
"""https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjects.html"""
DIRECTORY_BUCKET = "--x-s3"
"""How names of directory buckets end."""


class Bucket(Struct, frozen=True):
    name: str
    is_versioned: bool
    encryption: str
    """``aws:kms``, ``AES256``, or empty."""
    blocks_public_access: bool
    """Whether all four public access blocks are set."""


class S3Object(Struct, frozen=True):
    key: str
    size: int
    modified: datetime


def bucket(target: Target, name: str) -> Bucket | None:
    """The bucket; None when it does not exist."""
    if not bucket_exists(target, name):
        return None
    versioning = _or_none(target, "get_bucket_versioning", name) or {}
    encryption = _or_none(target, "get_bucket_encryption", name) or {}
    public = (_or_none(target, "get_public_access_block", name) or {}).get("PublicAccessBlockConfiguration", {})
    return Bucket(
        name=name,
        is_versioned=versioning.get("Status") == "Enabled",
        encryption=_encryption(encryption),
        blocks_public_access=bool(public) and all(public.values()),
    )


def bucket_exists(target: Target, name: str) -> bool:
    return _or_none(target, "head_bucket", name) is not None


def bucket_region(target: Target, name: str) -> str:
    """The Region of a bucket that exists."""
    with translated():
        return client(target, "s3").get_bucket_location(Bucket=name).get("LocationConstraint") or "us-east-1"


def has_object_lock(target: Target, name: str) -> bool:
    """Whether Object Lock is enabled for a bucket that exists. Raises ``AwsApiError``."""
    found = _or_none(target, "get_object_lock_configuration", name) or {}
    return bool(found.get("ObjectLockConfiguration", {}).get("ObjectLockEnabled") == "Enabled")


def objects_below(target: Target, name: str, prefix: str) -> list[S3Object]:
    """The current version of each object below the prefix."""
    found: list[S3Object] = []
    with translated():
        for page in client(target, "s3").get_paginator("list_objects_v2").paginate(Bucket=name, Prefix=prefix):
            found += [S3Object(each["Key"], each["Size"], each["LastModified"]) for each in page.get("Contents", ())]
    return found


def has_objects(target: Target, name: str, prefix: str) -> bool:
    """Whether an object is below the prefix: one call, however many there are."""
    with translated():
        return bool(client(target, "s3").list_objects_v2(Bucket=name, Prefix=prefix, MaxKeys=1).get("Contents"))


def delete_objects(target: Target, name: str, keys: Sequence[str]) -> None:
    """A versioned bucket keeps the versions below a delete marker. Raises ``AwsApiError``."""
    s3 = client(target, "s3")
    with translated():
        for start in range(0, len(keys), KEYS_OF_ONE_CALL):
            batch = [{"Key": key} for key in keys[start : start + KEYS_OF_ONE_CALL]]
            answer = s3.delete_objects(Bucket=name, Delete={"Objects": batch, "Quiet": True})
            _raise_first(answer.get("Errors", ()), name)


def put_file(target: Target, bucket: str, key: str, path: Path) -> None:
    """Uploads a file unless the object exists. Raises ``AwsApiError`` when there is no such bucket."""
    s3 = client(target, "s3")
    try:
        with translated():
            s3.head_object(Bucket=bucket, Key=key)
    except AwsApiError as error:
        if error.code not in _ABSENT:
            raise
        with translated(), path.open("rb") as body:
            s3.put_object(Bucket=bucket, Key=key, Body=body)


def put_if_absent(target: Target, address: str, content: bytes) -> None:
    """Writes an object unless there is one at this address in S3. Raises ``ToolkitError``."""
    bucket, _, key = address.removeprefix("s3://").partition("/")
    with translated():
        try:
            client(target, "s3").put_object(Bucket=bucket, Key=key, Body=content, IfNoneMatch="*")
        except client(target, "s3").exceptions.ClientError as error:
            if error.response["Error"]["Code"] != "PreconditionFailed":
                raise


def object_sizes(target: Target, bucket: str, prefix: str) -> dict[str, int]:
    """Size by key below the prefix; without the objects that stand for folders."""
    found: dict[str, int] = {}
    with translated():
        for page in client(target, "s3").get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix):
            rows = page.get("Contents", ())
            found |= {row["Key"]: row["Size"] for row in rows if not row["Key"].endswith("/")}
    return found


def object_text(target: Target, bucket: str, key: str) -> str:
    """The content of a small object."""
    with translated():
        body: bytes = client(target, "s3").get_object(Bucket=bucket, Key=key)["Body"].read()
    return body.decode("utf-8", errors="replace")


def get_file(target: Target, bucket: str, key: str, path: Path) -> None:
    """Downloads an object, a large one in parts."""
    with translated():
        client(target, "s3").download_file(bucket, key, str(path))


def delete_bucket(target: Target, name: str) -> int:
    """Deletes all object versions, then the bucket; returns the number of versions, 0 for a missing bucket.

    A directory bucket has no versions, and with unfinished uploads it is not empty.
    """
    s3 = client(target, "s3")
    deleted = 0
    is_directory = name.endswith(DIRECTORY_BUCKET)
    try:
        with translated():
            if is_directory:
                _abort_uploads(s3, name)
            listing = "list_objects_v2" if is_directory else "list_object_versions"
            for page in s3.get_paginator(listing).paginate(Bucket=name):
                rows = [*page.get("Contents", ()), *page.get("Versions", ()), *page.get("DeleteMarkers", ())]
                keys = [{each: row[each] for each in ("Key", "VersionId") if each in row} for row in rows]
                if keys:
                    answer = s3.delete_objects(Bucket=name, Delete={"Objects": keys, "Quiet": True})
                    _raise_first(answer.get("Errors", ()), name)
                deleted += len(keys)
            s3.delete_bucket(Bucket=name)
    except AwsApiError as error:
        if error.code != "NoSuchBucket":
            raise
    return deleted


def _abort_uploads(s3: Any, name: str) -> None:
    for page in s3.get_paginator("list_multipart_uploads").paginate(Bucket=name):
        for upload in page.get("Uploads", ()):
            s3.abort_multipart_upload(Bucket=name, Key=upload["Key"], UploadId=upload["UploadId"])


def _raise_first(errors: Any, name: str) -> None:
    for error in errors:
        message = f"an object of the bucket {name} cannot be deleted: {error.get('Key')}: {error.get('Message')}"
        raise AwsApiError(message, code=str(error.get("Code")), hint="check the bucket's policy and object locks")


def _or_none(target: Target, operation: str, name: str) -> dict[str, Any] | None:
    try:
        with translated():
            return dict(getattr(client(target, "s3"), operation)(Bucket=name))
    except AwsApiError as error:
        if error.code in _ABSENT:
            return None
        raise


def _encryption(answer: dict[str, Any]) -> str:
    rules = answer.get("ServerSideEncryptionConfiguration", {}).get("Rules", [])
    default = rules[0].get("ApplyServerSideEncryptionByDefault", {}) if rules else {}
    key = str(default.get("KMSMasterKeyID", "")).rpartition("/")[2]
    return " ".join(part for part in (default.get("SSEAlgorithm", ""), key) if part)
