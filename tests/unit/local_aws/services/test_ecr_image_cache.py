"""Cache rules and templates for repositories: what ECR refuses, and what it tells."""

from __future__ import annotations

import pytest

KUBERNETES = {"ecrRepositoryPrefix": "small/k8s", "upstreamRegistryUrl": "registry.k8s.io"}
TEMPLATE = {"prefix": "small/k8s", "appliedFor": ["PULL_THROUGH_CACHE"]}
SECRET = "arn:aws:secretsmanager:us-west-2:300000000000:secret:ecr-pullthroughcache/github-AbCdEf"  # noqa: S105 - a name


def code_of(refused, call, **parameters):
    return refused(call, **parameters)[0]


def test_a_rule_is_told_with_the_registry_that_its_address_means(client):
    client("ecr").create_pull_through_cache_rule(**KUBERNETES)
    (rule,) = client("ecr").describe_pull_through_cache_rules()["pullThroughCacheRules"]
    assert (rule["upstreamRegistry"], rule["upstreamRepositoryPrefix"]) == ("k8s", "ROOT")


def test_a_prefix_has_one_rule(client, refused):
    ecr = client("ecr")
    ecr.create_pull_through_cache_rule(**KUBERNETES)
    again = {**KUBERNETES, "upstreamRegistryUrl": "quay.io"}
    assert code_of(refused, ecr.create_pull_through_cache_rule, **again) == "PullThroughCacheRuleAlreadyExistsException"


def test_a_registry_that_asks_for_credentials_needs_a_secret(client, refused):
    ecr, github = client("ecr"), {"ecrRepositoryPrefix": "small/github", "upstreamRegistryUrl": "ghcr.io"}
    assert code_of(refused, ecr.create_pull_through_cache_rule, **github) == "InvalidParameterException"
    ecr.create_pull_through_cache_rule(**github, credentialArn=SECRET)


def test_a_rule_that_is_gone_is_not_found(client, refused):
    ecr = client("ecr")
    ecr.create_pull_through_cache_rule(**KUBERNETES)
    ecr.delete_pull_through_cache_rule(ecrRepositoryPrefix="small/k8s")
    known = {"ecrRepositoryPrefixes": ["small/k8s"]}
    expected = "PullThroughCacheRuleNotFoundException"
    assert code_of(refused, ecr.describe_pull_through_cache_rules, **known) == expected


@pytest.mark.parametrize(
    "wish",
    [
        {"encryptionConfiguration": {"encryptionType": "KMS"}},
        {"resourceTags": [{"Key": "team", "Value": "research"}]},
    ],
)
def test_own_keys_and_tags_need_a_role(client, refused, wish):
    create = client("ecr").create_repository_creation_template
    assert code_of(refused, create, **TEMPLATE, **wish) == "InvalidParameterException"
    create(**TEMPLATE, **wish, customRoleArn="arn:aws:iam::300000000000:role/ecr")


def test_a_template_is_told_with_what_it_left_open(client, refused):
    ecr = client("ecr")
    ecr.create_repository_creation_template(**TEMPLATE)
    (found,) = ecr.describe_repository_creation_templates()["repositoryCreationTemplates"]
    assert (found["imageTagMutability"], found["encryptionConfiguration"]) == ("MUTABLE", {"encryptionType": "AES256"})
    assert code_of(refused, ecr.create_repository_creation_template, **TEMPLATE) == "TemplateAlreadyExistsException"
    ecr.delete_repository_creation_template(prefix="small/k8s")
    assert code_of(refused, ecr.delete_repository_creation_template, prefix="small/k8s") == "TemplateNotFoundException"


ROLE = "arn:aws:iam::300000000000:role/ecr"
ACCOUNT = "300000000000"


def test_a_prefix_ends_in_a_slash_that_may_be_given(client, refused):
    ecr = client("ecr")
    made = ecr.create_pull_through_cache_rule(**KUBERNETES | {"ecrRepositoryPrefix": "small/k8s/"})
    assert made["ecrRepositoryPrefix"] == "small/k8s"
    assert code_of(refused, ecr.create_pull_through_cache_rule, **KUBERNETES).endswith("AlreadyExistsException")
    gone = ecr.delete_pull_through_cache_rule(ecrRepositoryPrefix="small/k8s/")
    assert (gone["ecrRepositoryPrefix"], gone["registryId"]) == ("small/k8s", ACCOUNT)
    ecr.create_repository_creation_template(**TEMPLATE | {"prefix": "small/k8s/"})
    changed = ecr.update_repository_creation_template(prefix="small/k8s/", description="of Kubernetes")
    assert changed["repositoryCreationTemplate"]["prefix"] == "small/k8s"
    assert ecr.delete_repository_creation_template(prefix="small/k8s/")["registryId"] == ACCOUNT


def test_each_answer_has_the_registry(client):
    ecr = client("ecr")
    ecr.create_pull_through_cache_rule(**KUBERNETES)
    assert [each["registryId"] for each in ecr.describe_pull_through_cache_rules()["pullThroughCacheRules"]] == [
        ACCOUNT
    ]
    assert ecr.describe_repository_creation_templates()["registryId"] == ACCOUNT
    assert ecr.create_repository_creation_template(**TEMPLATE)["registryId"] == ACCOUNT
    assert ecr.update_repository_creation_template(prefix="small/k8s")["registryId"] == ACCOUNT
    assert ecr.describe_repository_creation_templates(prefixes=["small/k8s"])["registryId"] == ACCOUNT


def test_an_update_of_a_template_changes_what_it_names_as_a_whole(client, refused):
    ecr, key = client("ecr"), {"encryptionType": "KMS", "kmsKey": "arn:aws:kms:us-west-2:300000000000:key/k"}
    ecr.create_repository_creation_template(**TEMPLATE, encryptionConfiguration=key, customRoleArn=ROLE)
    tags = [{"Key": "team", "Value": "research"}]
    update = ecr.update_repository_creation_template
    assert update(prefix="small/k8s", resourceTags=tags)["repositoryCreationTemplate"]["encryptionConfiguration"] == key
    assert code_of(refused, update, prefix="small/k8s/", customRoleArn="") == "InvalidParameterException"
    plain = {"encryptionType": "AES256"}
    found = update(prefix="small/k8s", encryptionConfiguration=plain)["repositoryCreationTemplate"]
    assert (found["encryptionConfiguration"], found["resourceTags"]) == (plain, tags)
    assert code_of(refused, update, prefix="other", description="none") == "TemplateNotFoundException"


def test_those_that_are_named_exist_and_come_in_pages(client, refused):
    ecr, names = client("ecr"), ["a", "b", "c"]
    for name in names:
        ecr.create_repository_creation_template(**TEMPLATE | {"prefix": name})
    describe = ecr.describe_repository_creation_templates
    assert [each["prefix"] for each in describe(prefixes=["c", "a"])["repositoryCreationTemplates"]] == ["a", "c"]
    code, message = refused(describe, prefixes=["a", "d"])
    assert (code, "prefix 'd' does not exist" in message) == ("TemplateNotFoundException", True)
    first = describe(maxResults=2)
    assert [each["prefix"] for each in first["repositoryCreationTemplates"]] == ["a", "b"]
    rest = describe(maxResults=2, nextToken=first["nextToken"])["repositoryCreationTemplates"]
    assert [each["prefix"] for each in rest] == ["c"]
    assert refused(describe, nextToken="none") == ("InvalidParameterException", "Invalid next token")
