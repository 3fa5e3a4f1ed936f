"""The names of the cache: of this environment alone, and such that ECR takes them."""

from __future__ import annotations

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.plan.image_cache_plan import ImageCachePlan
from neuron_cluster.providers.eks.plan.build_image_cache import build_image_cache

CATALOG = load_catalog()
REGISTRY = "111122223333.dkr.ecr.us-west-2.amazonaws.com"


def cache(name: str = "train-trn1", *, has_internet: bool = True) -> ImageCachePlan:
    return build_image_cache(name, "111122223333", "us-west-2", CATALOG, has_internet=has_internet)


@pytest.mark.parametrize("name", ["a", "train-trn1", "x" * 127, "a-" * 60 + "z", "nineteen-characters"])
def test_every_prefix_is_one_that_ecr_takes(name: str) -> None:
    limit = CATALOG.limits["ecr_cache_prefix"]
    assert {limit.problem_with(rule.prefix) for rule in cache(name).rules} == {None}


def test_long_names_that_begin_alike_have_prefixes_of_their_own() -> None:
    one, other = ({rule.prefix for rule in cache(f"{'x' * 40}-{end}").rules} for end in ("one", "two"))
    assert not one & other


def test_a_name_in_the_cache_leads_back_to_the_public_one() -> None:
    for reference in (
        "public.ecr.aws/neuron/neuron-device-plugin:2.32.0.0",
        "oci://quay.io/jetstack/charts/cert-manager",
        "registry.k8s.io/kueue/kueue@sha256:0123",
    ):
        mirror = cache().mirror_of(reference)
        assert mirror is not None
        assert mirror.removeprefix("oci://").startswith(f"{REGISTRY}/train-trn1/")
        assert cache().upstream_of(mirror) == reference


@pytest.mark.parametrize(
    "reference",
    ["ghcr.io/kedacore/keda:2.20.2", "docker.io/library/busybox:1", "https://aws.github.io/eks-charts", "quay.io", ""],
)
def test_what_needs_credentials_or_is_no_registry_stays_outside(reference: str) -> None:
    assert cache().mirror_of(reference) is None


@pytest.mark.parametrize("reference", ["ghcr.io/kedacore/keda:2.20.2", "docker.io/library/busybox@sha256:0123"])
def test_in_a_closed_network_a_copy_stands_for_what_no_rule_caches(reference: str) -> None:
    closed = cache(has_internet=False)
    copy = closed.mirror_of(reference)
    assert copy == f"{REGISTRY}/train-trn1/mirror/{reference}"
    assert closed.upstream_of(copy) == reference
    assert closed.is_copy(copy)
    cached = closed.mirror_of("quay.io/prometheus/prometheus:v3")
    assert cached == cache().mirror_of("quay.io/prometheus/prometheus:v3")
    assert not closed.is_copy(cached or "")


@pytest.mark.parametrize("repository", ["https://aws.github.io/eks-charts", "oci://ghcr.io/x/charts/some-chart"])
def test_in_a_closed_network_charts_that_no_rule_caches_are_copies_in_one_folder(repository: str) -> None:
    copy = cache(has_internet=False).mirror_of_chart(repository, "some-chart")
    assert copy == f"oci://{REGISTRY}/train-trn1/mirror/charts/some-chart"
    assert cache(has_internet=False).is_copy(copy)
    assert cache().mirror_of_chart(repository, "some-chart") is None


def test_a_registry_that_nobody_knows_is_not_copied() -> None:
    assert cache(has_internet=False).mirror_of("registry.corp.example/plugin:1") is None


def test_a_name_of_another_environment_is_none_of_this_cache() -> None:
    other = cache("serve-inf1").mirror_of("quay.io/prometheus/prometheus:v3")
    assert other is not None
    assert cache().upstream_of(other) is None
