"""AWS::S3::Bucket."""

from __future__ import annotations

import contextlib
import re
from typing import Any

from botocore.exceptions import ClientError

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.names import generated_name
from local_aws.handlers.s3_bucket_settings import SETTINGS
from local_aws.handlers.service_resource import ServiceResource
from local_aws.handlers.tags import desired_tags, tag_list, tag_map

NAME_LIMIT = 63
HOME_REGION = "us-east-1"
"""The Region that S3 does not take as a location constraint."""

PRIVATE = "Private"


class Bucket(ServiceResource):
    service = "s3"
    type_name = "AWS::S3::Bucket"
    supported = frozenset(
        {"AccessControl", "BucketName", "ObjectLockEnabled", "Tags", *(setting.name for setting in SETTINGS)}
    )

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:
        name = properties.get("BucketName") or generated_name(context, NAME_LIMIT).lower()
        client = self.client(context)
        self._refuse_taken(client, name)
        parameters: dict[str, Any] = {"Bucket": name}
        if context.region != HOME_REGION:
            parameters["CreateBucketConfiguration"] = {"LocationConstraint": context.region}
        if str(properties.get("ObjectLockEnabled", "false")).lower() == "true":
            parameters["ObjectLockEnabledForBucket"] = True
        client.create_bucket(**parameters)
        undo.callback(client.delete_bucket, Bucket=name)
        self.change(context, name, {}, properties)
        return str(name)

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        client = self.client(context)
        for setting in SETTINGS:
            before, after = old.get(setting.name), new.get(setting.name)
            if after and after != before:
                setting.put(client, physical_id, after)
            elif before and not after:
                setting.take_off(client, physical_id)
        if new.get("AccessControl") != old.get("AccessControl"):
            client.put_bucket_acl(Bucket=physical_id, ACL=_canned_acl(new.get("AccessControl", PRIVATE)))
        tags = desired_tags(context, new)
        if tags:
            client.put_bucket_tagging(Bucket=physical_id, Tagging={"TagSet": tag_list(tags)})
        elif old:
            client.delete_bucket_tagging(Bucket=physical_id)

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:  # noqa: ARG002 - the name is enough
        self.client(context).delete_bucket(Bucket=physical_id)

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        client = self.client(context)
        client.head_bucket(Bucket=physical_id)
        settings = {setting.name: setting.read(client, physical_id) for setting in SETTINGS}
        properties: dict[str, Any] = {name: value for name, value in settings.items() if value is not None}
        properties["BucketName"] = physical_id
        acl = client.get_bucket_acl(Bucket=physical_id)
        if [grant["Grantee"].get("ID") for grant in acl["Grants"]] == [acl["Owner"]["ID"]]:
            properties["AccessControl"] = PRIVATE
        properties["ObjectLockEnabled"] = "ObjectLockConfiguration" in properties
        properties["Tags"] = tag_list(tag_map(self._tags(client, physical_id)))
        return properties

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        return {
            "Arn": f"arn:aws:s3:::{physical_id}",
            "DomainName": f"{physical_id}.s3.amazonaws.com",
            "DualStackDomainName": f"{physical_id}.s3.dualstack.{context.region}.amazonaws.com",
            "RegionalDomainName": f"{physical_id}.s3.{context.region}.amazonaws.com",
            "WebsiteURL": f"http://{physical_id}.s3-website-{context.region}.amazonaws.com",
        }

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

    def _tags(self, client: Any, bucket: str) -> list[dict[str, str]]:
        try:
            tags: list[dict[str, str]] = client.get_bucket_tagging(Bucket=bucket)["TagSet"]
        except ClientError as error:
            if error.response["Error"]["Code"] != "NoSuchTagSet":
                raise
            return []
        return tags


def _canned_acl(name: str) -> str:
    """S3's spelling of CloudFormation's ``BucketOwnerFullControl``: ``bucket-owner-full-control``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()
