"""The image cache on a local AWS: turned on on a cluster that stands, read back from ECR, and destroyed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.aws.session import LocalTarget, client
from tests.small_environment import small_environment

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]
ACCOUNT, REGION = "111122223333", "us-west-2"
REGISTRY = f"{ACCOUNT}.dkr.ecr.{REGION}.amazonaws.com"

WITHOUT = small_environment(eks=("image_cache: false",))
WITH = WITHOUT.replace("image_cache: false", "image_cache: true")


def _prefixes(target: LocalTarget) -> tuple[set[str], set[str]]:
    ecr = client(target, "ecr")
    templates = ecr.describe_repository_creation_templates()["repositoryCreationTemplates"]
    return {rule["ecrRepositoryPrefix"] for rule in _rules(target)}, {each["prefix"] for each in templates}


def _rules(target: LocalTarget) -> list[dict[str, Any]]:
    return list(client(target, "ecr").describe_pull_through_cache_rules()["pullThroughCacheRules"])


def test_the_cache_comes_to_a_standing_cluster_and_goes_with_it(
    run_small: Callable[..., Any], target: LocalTarget
) -> None:
    run_small(WITHOUT)
    created = client(target, "eks").describe_cluster(name="small")["cluster"]["createdAt"]
    assert _prefixes(target) == (set(), set())

    on = run_small(WITH)
    expected = {"small/ecr-public", "small/k8s", "small/quay"}
    assert _prefixes(target) == (expected, expected)
    assert "neuron" in {chart["release"] for chart in on["existing"]["charts"]}
    (rule,) = [each for each in _rules(target) if each["ecrRepositoryPrefix"] == "small/k8s"]
    assert (rule["upstreamRegistry"], rule["upstreamRegistryUrl"]) == ("k8s", "registry.k8s.io")
    assert client(target, "eks").describe_cluster(name="small")["cluster"]["createdAt"] == created

    run_small(WITH, "destroy")
    assert _prefixes(target) == (set(), set())
