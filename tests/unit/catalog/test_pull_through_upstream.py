"""Which registries ECR caches, and which ask for credentials."""

from __future__ import annotations

from neuron_cluster.catalog.catalog import load_catalog

CATALOG = load_catalog()


def test_the_registries_without_credentials_are_the_three_of_the_guide() -> None:
    open_ones = {row.host for row in CATALOG.pull_through_upstreams if not row.needs_secret}
    assert open_ones == {"public.ecr.aws", "registry.k8s.io", "quay.io"}


def test_a_registry_is_found_by_the_host_that_images_name() -> None:
    row = CATALOG.pull_through_upstreams.of_host("docker.io")
    assert row is not None
    assert (row.registry_url, row.needs_secret) == ("registry-1.docker.io", True)
    assert CATALOG.pull_through_upstreams.of_host("registry.example") is None


def test_every_public_image_of_the_charts_is_of_a_registry_that_is_known() -> None:
    """Else a rule would take it for one in the user's own network."""
    public = [image for chart in CATALOG.charts for image in chart.images if image.registry == "public"]
    hosts = {image.repository.partition("/")[0] for image in public}
    assert {host for host in hosts if CATALOG.pull_through_upstreams.of_host(host) is None} == set()
