"""The output of another stack that ``Fn::GetStackOutput`` returns."""

from __future__ import annotations

import re

from botocore.exceptions import ClientError

from local_aws.clients import local_client, partition_of
from local_aws.cloudformation.errors import invalid_template
from local_aws.cloudformation.stack_output import FUNCTION, StackOutput
from local_aws.engine.stack import Stack
from local_aws.engine.stack_table import StackTable

ROLE = re.compile(r"arn:(?P<partition>[\w-]+):iam::(?P<account>\d{12}):role/(?:[\w+=,.@/-]*/)?(?P<name>[\w+=,.@-]+)")


def output_value(output: StackOutput, stack: Stack, table: StackTable, endpoint: str) -> str:
    """The value, as the other stack has it now. Raises TemplateError when there is none."""
    region = output.region or stack.region
    if partition_of(region) != partition_of(stack.region):
        # Source: inferred: the words; the reference of the function: no reference crosses a partition.
        raise invalid_template(f"Template error: {FUNCTION} does not support references to another partition: {region}")
    account = _account(output.role_arn, stack, endpoint) if output.role_arn else stack.account
    found = table.find(account, region, output.stack_name)
    if found is None or found.status == "DELETE_COMPLETE":
        # Source: inferred: DescribeStacks, which the role needs, answers so.
        raise invalid_template(f"Stack with id {output.stack_name} does not exist")
    for each in found.outputs:
        if each.key == output.output_name:
            return each.value
    # Source: inferred: the words.
    raise invalid_template(f"Output {output.output_name} does not exist in stack {output.stack_name}")


def _account(role_arn: str, stack: Stack, endpoint: str) -> str:
    """The account of a role that exists; what it may do is not asked."""
    match = ROLE.fullmatch(role_arn)
    if match is None or match["partition"] != partition_of(stack.region):
        # Source: inferred: the words.
        raise invalid_template(f"Template error: RoleArn {role_arn} of {FUNCTION} is not the ARN of a role")
    try:
        local_client("iam", endpoint, match["account"], stack.region).get_role(RoleName=match["name"])
    except ClientError as error:
        if error.response["Error"]["Code"] != "NoSuchEntity":
            raise
        # Source: inferred: that STS does not tell a role that is missing from one that may not be assumed.
        raise invalid_template(f"Role {role_arn} is invalid or cannot be assumed") from error
    return match["account"]
