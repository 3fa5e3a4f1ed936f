"""AWS::S3::Bucket: its place, whether its name is free, and settings whose form is not the API's."""

from __future__ import annotations

import contextlib
import re
from typing import Any

from botocore.exceptions import ClientError

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.generic import GenericHandler
from local_aws.handlers.s3_lifecycle import api_rule, cloudformation_rule

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
