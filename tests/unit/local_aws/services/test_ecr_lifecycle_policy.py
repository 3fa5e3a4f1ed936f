"""Lifecycle policies of ECR: each fault of the document is refused with its reason."""

from __future__ import annotations

import json
from typing import Any

import pytest

RULE: dict[str, Any] = {
    "rulePriority": 1,
    "selection": {"tagStatus": "any", "countType": "imageCountMoreThan", "countNumber": 3},
    "action": {"type": "expire"},
}


def rule(priority: int = 1, action: Any = None, **selection: Any) -> dict[str, Any]:
    chosen = {key: value for key, value in {**RULE["selection"], **selection}.items() if value is not None}
    return {"rulePriority": priority, "selection": chosen, "action": action or RULE["action"]}


SINCE = {"countType": "sinceImagePushed", "countUnit": "days"}
REFUSED = {
    "no rules": ([], "array is too short"),
    "51 rules": ([rule(at, tagStatus="untagged") for at in range(1, 52)], "array is too long"),
    "another key": ([{**RULE, "name": "own"}], 'not allowed by the schema: ["name"]'),
    "another status": ([rule(tagStatus="old")], "not found in enum"),
    "tagged without tags": ([rule(tagStatus="tagged")], "Must specify tagPrefixList or tagPatternList"),
    "two lists": ([rule(tagStatus="tagged", tagPrefixList=["a"], tagPatternList=["b"])], "only one of tagPrefixList"),
    "any with tags": ([rule(tagPrefixList=["a"])], "Cannot specify tagPrefixList with tagStatus ANY"),
    "five wildcards": ([rule(tagStatus="tagged", tagPatternList=["*a*b*c*d*"])], "four wildcards"),
    "days of a count": ([rule(countUnit="days")], "countUnit is not allowed with imageCountMoreThan"),
    "age without days": ([rule(**{**SINCE, "countUnit": None})], "countUnit days is required"),
    "none kept": ([rule(countNumber=0)], "lower than the required minimum"),
    "deletes": ([rule(action={"type": "delete"})], 'value ("delete") not found in enum'),
    "a transition to nowhere": ([rule(action={"type": "transition"})], "Could not map policyString"),
    "one priority twice": ([rule(tagStatus="untagged"), rule()], "Duplicate priority in multiple rules"),
    "any before others": ([rule(1), rule(2, tagStatus="untagged")], "tagStatus=ANY must have the highest rulePriority"),
}


@pytest.mark.parametrize(("rules", "text"), REFUSED.values(), ids=REFUSED)
def test_a_fault_of_a_policy_is_refused_with_its_reason(rules: list[Any], text: str, client: Any, refused: Any) -> None:
    ecr = client("ecr")
    policy = json.dumps({"rules": rules}).ljust(100)
    code, message = refused(
        ecr.create_repository_creation_template,
        prefix="small/own",
        appliedFor=["PULL_THROUGH_CACHE"],
        lifecyclePolicy=policy,
    )[:2]
    assert code == "InvalidParameterException"
    assert text in message


def test_a_policy_of_several_rules_is_taken(client: Any) -> None:
    rules = [rule(1, tagStatus="tagged", tagPatternList=["v*"]), rule(2, **{**SINCE, "tagStatus": "untagged"}), rule(3)]
    made = client("ecr").create_repository_creation_template(
        prefix="small/own", appliedFor=["PULL_THROUGH_CACHE"], lifecyclePolicy=json.dumps({"rules": rules})
    )
    assert made["repositoryCreationTemplate"]["prefix"] == "small/own"
