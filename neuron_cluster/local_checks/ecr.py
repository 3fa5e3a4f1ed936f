"""Pull-through cache rules as the rules see them."""

from __future__ import annotations

from collections.abc import Iterator

from local_aws.contract import Call
from local_aws.handlers.shapes import call_as_properties
from neuron_cluster.local_checks.rule_input import RuleInput, request_reader

RULE = "AWS::ECR::PullThroughCacheRule"


@request_reader("ecr", "CreatePullThroughCacheRule")
def rule(call: Call) -> Iterator[RuleInput]:
    yield RuleInput("ecr:CreatePullThroughCacheRule", RULE, call_as_properties(call))
