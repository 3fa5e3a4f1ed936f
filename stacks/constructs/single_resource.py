"""The CloudFormation resource below a construct of CDK, for properties that the construct does not have."""

from __future__ import annotations

import aws_cdk as cdk
from constructs import IConstruct


def single_resource(construct: IConstruct) -> cdk.CfnResource:
    """Raises ``TypeError`` for a construct of several resources."""
    resource = construct.node.default_child
    if not isinstance(resource, cdk.CfnResource):
        raise TypeError(f"{construct.node.path} is no single resource")
    return resource
