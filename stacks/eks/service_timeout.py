"""How long CloudFormation waits for the function behind a custom resource."""

from __future__ import annotations

import aws_cdk as cdk
from constructs import Construct

SERVICE_TIMEOUT_SECONDS = 1000
"""Lambda ends a function after 900 at the latest; without a value CloudFormation waits for an hour.

Source: CloudFormation user guide, AWS::CloudFormation::CustomResource, ServiceTimeout (1 to 3600, default 3600).
"""


def bound_service_timeout(construct: Construct) -> cdk.CfnResource:
    """Sets the timeout of the resource that CDK adds for a chart, a manifest or a patch, and returns that resource."""
    # One question for all descendants: each step from parent to child would be two messages to Node.js.
    custom = [each for each in construct.node.find_all() if isinstance(each, cdk.CfnResource)]
    if len(custom) != 1:
        raise TypeError(f"{construct.node.path} has {len(custom)} resources instead of one")
    custom[0].add_property_override("ServiceTimeout", SERVICE_TIMEOUT_SECONDS)
    return custom[0]
