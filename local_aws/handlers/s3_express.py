"""Resource types of S3 Express One Zone."""

from __future__ import annotations

from typing import Any

from local_aws.handlers.generic import GenericHandler
from local_aws.handlers.s3 import api_rule, cloudformation_rule


class DirectoryBucket(GenericHandler):
    type_name = "AWS::S3Express::DirectoryBucket"

    def to_parameter(self, name: str, value: Any) -> Any:
        parameter = super().to_parameter(name, value)
        if name == "LifecycleConfiguration":
            return {**parameter, "Rules": [api_rule(rule) for rule in parameter["Rules"]]}
        return parameter

    def to_property(self, name: str, value: Any) -> Any:
        shown = super().to_property(name, value)
        if name == "LifecycleConfiguration" and shown is not None:
            return {"Rules": [cloudformation_rule(rule) for rule in shown["Rules"]]}
        return shown
