"""AWS::S3::BucketPolicy: a bucket has one."""

from __future__ import annotations

import contextlib

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.engine.status_reasons import not_stabilized
from local_aws.handlers.generic import GenericHandler
from local_aws.handlers.service_resource import ignore_not_found


class BucketPolicy(GenericHandler):
    type_name = "AWS::S3::BucketPolicy"

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:
        with ignore_not_found():
            self.client(context).get_bucket_policy(Bucket=properties["Bucket"])
            # Source: aws-samples/aws-cdk-examples#1022
            raise not_stabilized(f"The bucket policy already exists on bucket {properties['Bucket']}.", "AlreadyExists")
        return super().make(context, properties, undo)
