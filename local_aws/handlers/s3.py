"""Resource types of S3 and S3 Express One Zone: buckets, whose settings have not the API's form, and their policies."""

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
from local_aws.resource_types.readers.s3 import EXPIRATION

HOME_REGION = "us-east-1"
"""The Region that S3 does not take as a location constraint."""


class LifecycleRules(GenericHandler):
    """A type whose lifecycle rules have another form in the API."""

    def to_parameter(self, name: str, value: Any) -> Any:
        parameter = super().to_parameter(name, value)
        if name == "LifecycleConfiguration":
            return {**parameter, "Rules": [_api_rule(rule) for rule in parameter["Rules"]]}
        return parameter


class DirectoryBucket(LifecycleRules):
    type_name = "AWS::S3Express::DirectoryBucket"


class Bucket(LifecycleRules):
    type_name = "AWS::S3::Bucket"

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:
        name = self.given(context, properties)["BucketName"]
        self._require_free_name(self.client(context), name)
        return super().make(context, {**properties, "BucketName": name}, undo)

    def given(self, context: ResourceContext, properties: Properties) -> dict[str, Any]:
        location = {} if context.region == HOME_REGION else {"@location": context.region}
        return {**super().given(context, properties), **location}

    def to_parameter(self, name: str, value: Any) -> Any:
        parameter = super().to_parameter(name, value)
        match name:
            case "LoggingConfiguration":
                return {"TargetPrefix": "", **parameter}
            case "AccessControl":  # S3's spelling of ``BucketOwnerFullControl``: ``bucket-owner-full-control``
                return re.sub(r"(?<!^)(?=[A-Z])", "-", parameter).lower()
        return parameter

    def _require_free_name(self, client: Any, name: str) -> None:
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


FILTER = ("Prefix", "ObjectSizeGreaterThan", "ObjectSizeLessThan")


def _api_rule(rule: Mapping[str, Any]) -> dict[str, Any]:
    """The API's form of one rule, whose other members have the API's names already."""
    moved = {*EXPIRATION, *FILTER, "TagFilters"}
    expiration = {member: rule[name] for name, member in EXPIRATION.items() if name in rule}
    answer = {name: value for name, value in rule.items() if name not in moved}
    return {**answer, "Filter": _api_filter(rule), **({"Expiration": expiration} if expiration else {})}


def _api_filter(rule: Mapping[str, Any]) -> dict[str, Any]:
    """One condition stands alone, several under ``And``; without any the rule holds for the whole bucket."""
    conditions = present(rule, *FILTER)
    tags = rule.get("TagFilters") or []
    if len(conditions) + len(tags) > 1:
        return {"And": {**conditions, **({"Tags": tags} if tags else {})}}
    if tags:
        return {"Tag": tags[0]}
    return conditions or {"Prefix": ""}
