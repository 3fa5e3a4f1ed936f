"""The images stack, and who may fill the cache."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.template_rules.run import check_templates

ON = {"eks.image_cache": True}
WITH_AUTO_MODE = {**ON, "eks.auto_mode": True}
PREFIXES = ["train-trn1/ecr-public", "train-trn1/k8s", "train-trn1/quay"]
RULE, TEMPLATE = "AWS::ECR::PullThroughCacheRule", "AWS::ECR::RepositoryCreationTemplate"


@pytest.fixture(scope="module")
def templates(templates_of: Callable[..., Any]) -> Any:
    return templates_of("train-trn1", ON)


def of_type(template: Any, kind: str) -> list[dict[str, Any]]:
    return [resource for resource in template["Resources"].values() if resource["Type"] == kind]


def test_each_registry_has_a_rule_and_its_repositories_are_set_before(templates: Any) -> None:
    resources = templates["images"]["Resources"]
    assert {resource["Type"] for resource in resources.values()} == {RULE, TEMPLATE}
    rules = of_type(templates["images"], RULE)
    assert [rule["Properties"]["EcrRepositoryPrefix"] for rule in rules] == PREFIXES
    for rule in rules:
        assert "CredentialArn" not in rule["Properties"]
        (before,) = rule["DependsOn"]
        assert resources[before]["Properties"]["Prefix"] == rule["Properties"]["EcrRepositoryPrefix"]


def test_cached_images_are_encrypted_and_their_tags_stand_still(templates: Any) -> None:
    for template in of_type(templates["images"], TEMPLATE):
        assert template["Properties"]["ImageTagMutability"] == "IMMUTABLE"
        assert template["Properties"]["EncryptionConfiguration"] == {"EncryptionType": "AES256"}
        assert template["Properties"]["AppliedFor"] == ["PULL_THROUGH_CACHE"]


@pytest.mark.parametrize(("stack_key", "roles"), [("system", 1), ("nodes", 1), ("cluster", 2)])
def test_nodes_and_the_kubectl_function_fill_these_prefixes_and_no_other(
    template_of: Callable[..., Any], stack_key: str, roles: int
) -> None:
    """In the cluster stack: the function that runs helm, and the nodes that Auto Mode starts."""
    found = of_type(template_of("train-trn1", stack_key, WITH_AUTO_MODE), "AWS::IAM::Policy")
    (policy,) = [
        each["Properties"]
        for each in found
        if "ecr:CreateRepository" in each["Properties"]["PolicyDocument"]["Statement"][0]["Action"]
    ]
    (statement,) = policy["PolicyDocument"]["Statement"]
    assert statement["Action"] == ["ecr:BatchImportUpstreamImage", "ecr:CreateRepository"]
    assert [arn.partition("repository/")[2] for arn in statement["Resource"]] == [f"{p}/*" for p in PREFIXES]
    assert len(policy["Roles"]) == roles


def test_charts_come_after_the_rules(app_of: Callable[..., Any], tmp_path: Any) -> None:
    stacks = {
        stack.stack_name: stack
        for stack in app_of("train-trn1", ON, outdir=tmp_path, assets_copied=False).synth().stacks
    }
    assert "train-trn1-images" in {each.id for each in stacks["train-trn1-software"].dependencies}


def test_turning_it_on_changes_no_network_no_storage_and_no_launch_template(
    templates: Any, templates_of: Callable[..., Any]
) -> None:
    before = templates_of("train-trn1")
    changed = [stack_key for stack_key in before if before[stack_key] != templates[stack_key]]
    assert changed == ["cluster", "system", "software", "nodes"]
    for stack_key in ("cluster", "system", "nodes"):
        added = set(templates[stack_key]["Resources"]) - set(before[stack_key]["Resources"])
        assert {templates[stack_key]["Resources"][name]["Type"] for name in added} == {"AWS::IAM::Policy"}
        same = {name: templates[stack_key]["Resources"][name] for name in before[stack_key]["Resources"]}
        assert same == before[stack_key]["Resources"]
    assert templates["cluster"]["Outputs"] == before["cluster"]["Outputs"]


def test_no_law_is_broken(templates: Any) -> None:
    assert (
        check_templates(
            {f"train-trn1-{stack_key}": template for stack_key, template in templates.items()},
            load_catalog(),
            region="us-west-2",
        )
        == []
    )
