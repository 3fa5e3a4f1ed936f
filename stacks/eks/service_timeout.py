"""How long CloudFormation waits for the function behind a custom resource."""

from __future__ import annotations

import aws_cdk as cdk
from constructs import Construct

SERVICE_TIMEOUT_SECONDS = 1000
"""Lambda ends a function after 900 at the latest; without a value CloudFormation waits for an hour.

Source: CloudFormation user guide, AWS::CloudFormation::CustomResource, ServiceTimeout (1 to 3600, default 3600).
"""


def bound_service_timeout(construct: Construct) -> cdk.CfnResource:
    """Sets it on what CDK makes for a chart, a manifest or a patch, and gives that resource."""
    custom = construct.node.find_child("Resource").node.default_child
    if not isinstance(custom, cdk.CfnResource):
        raise TypeError(f"{construct.node.path} is no single resource")
    custom.add_property_override("ServiceTimeout", SERVICE_TIMEOUT_SECONDS)
    return custom
