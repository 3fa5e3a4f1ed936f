"""The output of another stack that ``Fn::GetStackOutput`` returns."""

from __future__ import annotations

import re

from botocore.exceptions import ClientError

from local_aws.clients import local_client, partition_of
from local_aws.cloudformation.errors import TemplateError
from local_aws.cloudformation.stack_output import StackOutput
from local_aws.engine.stack import Stack
from local_aws.engine.stack_table import StackTable

ROLE = re.compile(r"arn:(?P<partition>[\w-]+):iam::(?P<account>\d{12}):role/(?:[\w+=,.@/-]*/)?(?P<name>[\w+=,.@-]+)")


def output_value(output: StackOutput, stack: Stack, table: StackTable, endpoint: str) -> str:
    """The value, as the other stack has it now. Raises TemplateError when there is none."""
    region = output.region or stack.region
    if partition_of(region) != partition_of(stack.region):
        raise TemplateError("other_partition", region=region)
    account = _account(output.role_arn, stack, endpoint) if output.role_arn else stack.account
    found = table.find(account, region, output.stack_name)
    if found is None or found.status == "DELETE_COMPLETE":
        raise TemplateError("no_other_stack", stack=output.stack_name)
    for each in found.outputs:
        if each.key == output.output_name:
            return each.value
    raise TemplateError("no_output", output=output.output_name, stack=output.stack_name)


def _account(role_arn: str, stack: Stack, endpoint: str) -> str:
    """The account of a role that exists; what it may do is not asked."""
    match = ROLE.fullmatch(role_arn)
    if match is None or match["partition"] != partition_of(stack.region):
        raise TemplateError("role_arn", role=role_arn)
    try:
        local_client("iam", endpoint, match["account"], stack.region).get_role(RoleName=match["name"])
    except ClientError as error:
        if error.response["Error"]["Code"] != "NoSuchEntity":
            raise
        raise TemplateError("no_role", role=role_arn) from error
    return match["account"]
