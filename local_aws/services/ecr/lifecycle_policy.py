"""Lifecycle policies of repositories and of templates for them: what ECR refuses of the document.

Source: https://docs.aws.amazon.com/AmazonECR/latest/userguide/lifecycle_policy_parameters.html; cdk-preflight 1.9.1,
rules pf-ecr-lifecycle-*, have the words that ECR answered.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.registry import guard

RULE_KEYS = {"rulePriority", "description", "selection", "action"}
SELECTION_KEYS = {
    "tagStatus",
    "tagPrefixList",
    "tagPatternList",
    "countType",
    "countUnit",
    "countNumber",
    "storageClass",
}
LISTS = ("tagPrefixList", "tagPatternList")
SINCE = ("sinceImagePushed", "sinceImagePulled", "sinceImageTransitioned")
MOST_RULES, MOST_WILDCARDS = 50, 4
NO_POLICY = "Could not map policyString into LifecyclePolicy."


@guard("ecr", "PutLifecyclePolicy")
def require_policy(call: Call) -> None:
    _require(call.parameters["lifecyclePolicyText"])


@guard("ecr", "CreateRepositoryCreationTemplate", "UpdateRepositoryCreationTemplate")
def require_policy_of_template(call: Call) -> None:
    if call.parameters.get("lifecyclePolicy"):
        _require(call.parameters["lifecyclePolicy"])


def _require(text: str) -> None:
    """Raises the error for the first fault of the policy."""
    try:
        policy = json.loads(text)
    except ValueError:
        policy = None
    for reason in _faults(policy):
        raise api_error("ecr.lifecycle_policy", reason=reason)


def _faults(policy: Any) -> Iterator[str]:
    if not isinstance(policy, Mapping):
        yield NO_POLICY
        return
    rules = policy.get("rules")
    if not isinstance(rules, list):
        yield 'object has missing required properties (["rules"])'
        return
    if not 1 <= len(rules) <= MOST_RULES:
        yield f"array is too {'long' if rules else 'short'}: must have at {'most 50' if rules else 'least 1'} elements"
    if not all(isinstance(rule, Mapping) and isinstance(rule.get("selection"), Mapping) for rule in rules):
        yield NO_POLICY
        return
    for rule in rules:
        yield from _faults_of_keys(rule)
        yield from _faults_of_selection(rule["selection"])
        yield from _faults_of_action(rule.get("action"))
    yield from _faults_of_priorities(rules)


def _faults_of_keys(rule: Mapping[str, Any]) -> Iterator[str]:
    unknown = sorted({*rule} - RULE_KEYS | {*rule["selection"]} - SELECTION_KEYS)
    if unknown:
        yield f"object instance has properties which are not allowed by the schema: {json.dumps(unknown)}"
    missing = sorted({"rulePriority", "selection", "action"} - {*rule})
    if missing:
        yield f"object has missing required properties ({json.dumps(missing)})"


def _faults_of_selection(selection: Mapping[str, Any]) -> Iterator[str]:
    status = selection.get("tagStatus")
    given = [key for key in LISTS if selection.get(key)]
    if status not in ("tagged", "untagged", "any"):
        yield f'instance value ({json.dumps(status)}) not found in enum (possible values: ["tagged","untagged","any"])'
    if len(given) > 1:
        yield "If policy has a tagged rule, it must specify only one of tagPrefixList or tagPatternList"
    if status == "tagged" and not given:
        yield "Must specify tagPrefixList or tagPatternList"
    if status in ("untagged", "any") and given:
        yield f"Cannot specify {given[0]} with tagStatus {str(status).upper()}"
    if any(str(pattern).count("*") > MOST_WILDCARDS for pattern in selection.get("tagPatternList") or ()):
        yield "A tag pattern cannot have more than four wildcards"
    yield from _faults_of_count(selection)


def _faults_of_count(selection: Mapping[str, Any]) -> Iterator[str]:
    kind, number = selection.get("countType"), selection.get("countNumber")
    if kind not in ("imageCountMoreThan", *SINCE):
        yield f"instance value ({json.dumps(kind)}) not found in enum of countType"
    if kind in SINCE and selection.get("countUnit") != "days":
        yield f"countUnit days is required with {kind}"
    if kind == "imageCountMoreThan" and "countUnit" in selection:
        yield "countUnit is not allowed with imageCountMoreThan"
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        yield "numeric instance is lower than the required minimum (minimum: 1)"
    if selection.get("storageClass") == "archive" and kind != "sinceImageTransitioned":
        yield "storageClass archive is allowed with sinceImageTransitioned only"


def _faults_of_action(action: Any) -> Iterator[str]:
    kind = action.get("type") if isinstance(action, Mapping) else None
    if kind not in ("expire", "transition"):
        yield f'instance value ({json.dumps(kind)}) not found in enum (possible values: ["expire","transition"])'
    elif kind == "transition" and action.get("targetStorageClass") != "archive":
        yield NO_POLICY


def _faults_of_priorities(rules: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    priorities = [rule.get("rulePriority") for rule in rules]
    if not all(isinstance(each, int) and not isinstance(each, bool) and each >= 1 for each in priorities):
        yield "numeric instance is lower than the required minimum (minimum: 1)"
        return
    if any(count > 1 for count in Counter(priorities).values()):
        yield "Duplicate priority in multiple rules"
    of_any = [rule["rulePriority"] for rule in rules if rule["selection"].get("tagStatus") == "any"]
    if len(of_any) > 1:
        yield "Only one rule may have tagStatus=ANY"
    if of_any and max(of_any) < max(rule["rulePriority"] for rule in rules):
        yield "Rule for tagStatus=ANY must have the highest rulePriority"
