"""Resource types of S3: buckets, with settings whose form is not the API's, and their policies."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from typing import Any

from botocore.exceptions import ClientError

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.engine.status_reasons import not_stabilized
from local_aws.handlers.generic import GenericHandler
from local_aws.handlers.service_resource import ignore_not_found, present

HOME_REGION = "us-east-1"
"""The Region that S3 does not take as a location constraint."""


class Bucket(GenericHandler):
    type_name = "AWS::S3::Bucket"

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:
        name = self.given(context, properties)["BucketName"]
        self._refuse_taken(self.client(context), name)
        return super().make(context, {**properties, "BucketName": name}, undo)

    def given(self, context: ResourceContext, properties: Properties) -> dict[str, Any]:
        location = {} if context.region == HOME_REGION else {"@location": context.region}
        return {**super().given(context, properties), **location}

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        properties = super().describe(context, physical_id)
        return {**properties, "ObjectLockEnabled": "ObjectLockConfiguration" in properties}

    def to_parameter(self, name: str, value: Any) -> Any:
        match name:
            case "LifecycleConfiguration":
                return {**value, "Rules": [api_rule(rule) for rule in value["Rules"]]}
            case "LoggingConfiguration":
                return {"TargetPrefix": "", **super().to_parameter(name, value)}
            case "AccessControl":  # S3's spelling of ``BucketOwnerFullControl``: ``bucket-owner-full-control``
                return re.sub(r"(?<!^)(?=[A-Z])", "-", value).lower()
        return super().to_parameter(name, value)

    def to_property(self, name: str, value: Any) -> Any:
        if name == "LifecycleConfiguration":
            return {"Rules": [cloudformation_rule(rule) for rule in value["Rules"]]}
        return super().to_property(name, value)

    def _refuse_taken(self, client: Any, name: str) -> None:
        """S3 answers its owner's second CreateBucket in the home Region with success; CloudFormation refuses it."""
        try:
            client.head_bucket(Bucket=name)
        except ClientError as error:
            if error.response["Error"]["Code"] != "404":
                raise
            return
        # Source: https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateBucket.html
        raise ClientError(
            {"Error": {"Code": "BucketAlreadyExists", "Message": f"{name} already exists"}}, "CreateBucket"
        )


class BucketPolicy(GenericHandler):
    type_name = "AWS::S3::BucketPolicy"

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:
        with ignore_not_found():
            self.client(context).get_bucket_policy(Bucket=properties["Bucket"])
            # Source: aws-samples/aws-cdk-examples#1022
            raise not_stabilized(f"The bucket policy already exists on bucket {properties['Bucket']}.", "AlreadyExists")
        return super().make(context, properties, undo)


SAME = ("Status", "AbortIncompleteMultipartUpload")
EXPIRATION = {
    "ExpirationDate": "Date",
    "ExpirationInDays": "Days",
    "ExpiredObjectDeleteMarker": "ExpiredObjectDeleteMarker",
}
TRANSITION = {"TransitionDate": "Date", "TransitionInDays": "Days", "StorageClass": "StorageClass"}
NONCURRENT_TRANSITION = {
    "TransitionInDays": "NoncurrentDays",
    "StorageClass": "StorageClass",
    "NewerNoncurrentVersions": "NewerNoncurrentVersions",
}
FILTER = ("Prefix", "ObjectSizeGreaterThan", "ObjectSizeLessThan")
KNOWN = {
    *SAME,
    *EXPIRATION,
    *FILTER,
    "Id",
    "TagFilters",
    "Transitions",
    "NoncurrentVersionTransitions",
    "NoncurrentVersionExpiration",
}


def api_rule(rule: Mapping[str, Any]) -> dict[str, Any]:
    """The API's form of one rule; members that are not known here are passed on, so that botocore refuses them."""
    answer = {name: value for name, value in rule.items() if name in SAME or name not in KNOWN}
    if "Id" in rule:
        answer["ID"] = rule["Id"]
    answer["Filter"] = _api_filter(rule)
    if expiration := _renamed(rule, EXPIRATION):
        answer["Expiration"] = expiration
    if "Transitions" in rule:
        answer["Transitions"] = [_renamed(each, TRANSITION, keep=True) for each in rule["Transitions"]]
    if "NoncurrentVersionTransitions" in rule:
        answer["NoncurrentVersionTransitions"] = [
            _renamed(each, NONCURRENT_TRANSITION, keep=True) for each in rule["NoncurrentVersionTransitions"]
        ]
    if "NoncurrentVersionExpiration" in rule:
        answer["NoncurrentVersionExpiration"] = rule["NoncurrentVersionExpiration"]
    return answer


def cloudformation_rule(rule: Mapping[str, Any]) -> dict[str, Any]:
    """CloudFormation's form of one rule of GetBucketLifecycleConfiguration."""
    answer = present(rule, *SAME, "NoncurrentVersionExpiration")
    if "ID" in rule:
        answer["Id"] = rule["ID"]
    answer.update(_properties_of_filter(rule.get("Filter", {})))
    answer.update(_renamed(rule.get("Expiration", {}), _inverse(EXPIRATION)))
    for name, table in (("Transitions", TRANSITION), ("NoncurrentVersionTransitions", NONCURRENT_TRANSITION)):
        if rule.get(name):
            answer[name] = [_renamed(each, _inverse(table)) for each in rule[name]]
    return answer


def _api_filter(rule: Mapping[str, Any]) -> dict[str, Any]:
    """One condition stands alone, several under ``And``; without any the rule holds for the whole bucket."""
    conditions = present(rule, *FILTER)
    tags = rule.get("TagFilters") or []
    if len(conditions) + len(tags) > 1:
        return {"And": {**conditions, **({"Tags": tags} if tags else {})}}
    if tags:
        return {"Tag": tags[0]}
    return conditions or {"Prefix": ""}


def _properties_of_filter(condition: Mapping[str, Any]) -> dict[str, Any]:
    flat = dict(condition.get("And", condition))
    tags = flat.pop("Tags", [flat.pop("Tag")] if "Tag" in flat else [])
    properties = {name: value for name, value in flat.items() if value != ""}
    return {**properties, "TagFilters": tags} if tags else properties


def _renamed(source: Mapping[str, Any], names: Mapping[str, str], *, keep: bool = False) -> dict[str, Any]:
    return {names.get(name, name): value for name, value in source.items() if keep or name in names}


def _inverse(names: Mapping[str, str]) -> dict[str, str]:
    return {value: name for name, value in names.items()}
