"""AWS::S3::BucketPolicy."""

from __future__ import annotations

import contextlib
import json
from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.engine.status_reasons import not_stabilized
from local_aws.handlers.service_resource import ServiceResource, ignore_not_found


class BucketPolicy(ServiceResource):
    """The physical id is the bucket's name."""

    service = "s3"
    type_name = "AWS::S3::BucketPolicy"
    supported = frozenset({"Bucket", "PolicyDocument"})
    required = frozenset({"Bucket", "PolicyDocument"})

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:  # noqa: ARG002 - one call
        with ignore_not_found():
            self.client(context).get_bucket_policy(Bucket=properties["Bucket"])
            # Source: aws-samples/aws-cdk-examples#1022
            raise not_stabilized(f"The bucket policy already exists on bucket {properties['Bucket']}.", "AlreadyExists")
        self.change(context, properties["Bucket"], {}, properties)
        return str(properties["Bucket"])

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:  # noqa: ARG002 - put as a whole
        document = new["PolicyDocument"]
        policy = document if isinstance(document, str) else json.dumps(document)
        self.client(context).put_bucket_policy(Bucket=physical_id, Policy=policy)

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:  # noqa: ARG002 - the name is enough
        self.client(context).delete_bucket_policy(Bucket=physical_id)

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        policy = self.client(context).get_bucket_policy(Bucket=physical_id)["Policy"]
        return {"Bucket": physical_id, "PolicyDocument": json.loads(policy)}
