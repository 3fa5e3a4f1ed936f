"""Pull-through cache rules as the rules see them."""

from __future__ import annotations

from collections.abc import Iterator

from local_aws.enforcement.subject import Subject, as_properties, reading
from local_aws.service import Call

RULE = "AWS::ECR::PullThroughCacheRule"


@reading("ecr", "CreatePullThroughCacheRule")
def rule(call: Call) -> Iterator[Subject]:
    yield Subject("ecr:CreatePullThroughCacheRule", RULE, as_properties(call))
