"""Charts and images that an environment needs from registries, each once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.needed_software import Origin, needed_charts, needed_images, origin_of, registry_of

CATALOG = load_catalog()
JAX = "jax-training-neuronx:0.10.0-neuronx-py313-sdk2.32.0-ubuntu24.04"
PlanOf = Callable[..., ClusterPlan]


def test_charts_have_their_place_and_version(plan_of: PlanOf) -> None:
    charts = {chart.chart: chart for chart in needed_charts(plan_of("train-trn1"), CATALOG)}
    assert charts["neuron-helm-chart"].reference == "oci://public.ecr.aws/neuron/neuron-helm-chart"
    assert charts["aws-efa-k8s-device-plugin"].component == "efa_device_plugin"
    assert all(chart.version and chart.is_public and chart.mirror is None for chart in charts.values())


def test_images_say_who_needs_them_and_whose_they_are(plan_of: PlanOf) -> None:
    plan = plan_of("train-trn1", {"neuron.containers": [JAX]})
    images = {image.reference: image for image in needed_images(plan, CATALOG)}
    jax = images[f"public.ecr.aws/neuron/{JAX}"]
    assert (jax.needed_by, jax.path) == (("neuron.containers",), ("neuron", "containers", 0))
    regional = [image for image in images.values() if image.origin is Origin.REGIONAL]
    assert [image.needed_by for image in regional] == [("efa_device_plugin",)]


def test_the_cache_changes_where_images_are_pulled_and_not_what_is_needed(plan_of: PlanOf) -> None:
    on = {"eks.image_cache": True, "neuron.containers": [JAX]}
    plain = needed_images(plan_of("train-trn1", {"neuron.containers": [JAX]}), CATALOG)
    cached = needed_images(plan_of("train-trn1", on), CATALOG)
    assert [image.reference for image in plain] == [image.reference for image in cached]
    assert {image.origin for image in cached if image.mirror is None} == {Origin.REGIONAL}


def test_digests_are_found_by_the_public_name(plan_of: PlanOf) -> None:
    name = "public.ecr.aws/neuron/neuron-device-plugin:2.32.0.0"
    images = needed_images(plan_of("train-trn1", {"eks.image_cache": True}), CATALOG, {name: "sha256:01"})
    assert {image.reference: image.digest for image in images if image.digest} == {name: "sha256:01"}


def test_an_image_that_two_need_is_listed_once(plan_of: PlanOf) -> None:
    both = plan_of("train-trn1", {"neuron.containers": [JAX, f"public.ecr.aws/neuron/{JAX}"]})
    references = [image.reference for image in needed_images(both, CATALOG)]
    assert references.count(f"public.ecr.aws/neuron/{JAX}") == 1


def test_a_workstation_environment_without_containers_needs_nothing(plan_of: PlanOf) -> None:
    plan = plan_of("workstation")
    assert needed_charts(plan, CATALOG) == ()
    assert [image for image in needed_images(plan, CATALOG) if image.path[0] == "eks"] == []


@pytest.mark.parametrize(
    ("reference", "host", "origin"),
    [
        ("public.ecr.aws/neuron/x:1", "public.ecr.aws", Origin.PUBLIC),
        ("busybox:1.38", "docker.io", Origin.PUBLIC),
        ("library/busybox", "docker.io", Origin.PUBLIC),
        ("oci://ghcr.io/a/b", "ghcr.io", Origin.PUBLIC),
        ("111122223333.dkr.ecr.us-west-2.amazonaws.com/a:1", "111122223333.dkr.ecr.us-west-2.amazonaws.com",
         Origin.PRIVATE),
        ("602401143452.dkr.ecr.us-west-2.amazonaws.com/eks/a:1", "602401143452.dkr.ecr.us-west-2.amazonaws.com",
         Origin.REGIONAL),
        ("111122223333.dkr.ecr.us-east-1.amazonaws.com/a:1", "111122223333.dkr.ecr.us-east-1.amazonaws.com",
         Origin.ANOTHER_REGION),
        ("111122223333.dkr.ecr.us-west-2.evil.example/a:1", "111122223333.dkr.ecr.us-west-2.evil.example",
         Origin.OTHER),
        ("111122223333.dkr.ecr.us-west-9.amazonaws.com/a:1", "111122223333.dkr.ecr.us-west-9.amazonaws.com",
         Origin.OTHER),
        ("registry.corp.example:5000/a", "registry.corp.example:5000", Origin.OTHER),
    ],
)  # fmt: skip
def test_the_host_says_whose_an_image_is(reference: str, host: str, origin: Origin) -> None:
    assert registry_of(reference) == host
    region = CATALOG.regions.get("us-west-2")
    assert region is not None
    assert origin_of(reference, region, CATALOG) is origin
