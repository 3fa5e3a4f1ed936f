"""Names that CloudFormation makes up for a resource whose template gives none."""

from __future__ import annotations

import secrets
import string

from local_aws.engine.provider import ResourceContext

SUFFIX_LENGTH = 12


def generated_name(context: ResourceContext, limit: int) -> str:
    """``<stack>-<logical id>-<12 characters>``, cut in the middle to ``limit`` characters as CloudFormation does.

    The end is random: a replacement lives for a while beside the one that it replaces.
    """
    suffix = "".join(secrets.choice(string.ascii_letters + string.digits) for _ in range(SUFFIX_LENGTH))
    room = limit - SUFFIX_LENGTH - 2
    stack = context.stack_name[: max(room // 2, room - len(context.logical_id))]
    logical = context.logical_id[: room - len(stack)]
    return f"{stack}-{logical}-{suffix}"
