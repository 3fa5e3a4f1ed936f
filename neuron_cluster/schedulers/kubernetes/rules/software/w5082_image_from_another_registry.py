from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from local_kubernetes.model.chart_values import value_at
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.chart import Chart, ChartImage
from neuron_cluster.config.environment_config import EnvironmentConfig
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.findings.text import on_one_line
from neuron_cluster.plan.chart_images import image_of_values
from neuron_cluster.plan.needed_software import private_ecr, registry_of
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in


class ImageFromAnotherRegistry(Rule):
    """Charts run the images of the catalog, or copies of them in the account's ECR (`eks.chart_values`).

    Many of these pods are privileged, run in kube-system on every node, or can change every object of the cluster. An
    image from another registry gets the same permissions. The catalog has repository and tag of each image; a tag
    followed by the digest of that image (`v1.0@sha256:…`) is the same image.

    Only a warning: a registry of your company may have copies too.

    Without this check AWS reports no error. The pods start with any content of the image, and with the permissions of
    the chart.
    """

    id = "W5082"
    source = "catalog/data/charts (images); https://docs.aws.amazon.com/eks/latest/best-practices/image-security.html"

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        cluster = kubernetes_in(config)
        if cluster is None:
            return
        for name, values in cluster.section.chart_values.items():
            chart = context.catalog.charts.get(name)
            checked = set(_paths(chart)) if chart is not None else set()
            problems = [*_of_chart(chart, values, config, context.catalog)] if chart is not None else []
            known = {row.image.rpartition(":")[0] for row in context.catalog.manifests if row.chart == name}
            problems += [
                (path, image, f"{', '.join(known) or 'no image'} at this key")
                for path, image in _free_images(values, ())
                if ".".join(map(str, path)) not in checked
                and image not in known
                and not _is_own(image, config, context.catalog)
            ]
            for path, image, instead in problems:
                yield Violation(
                    (*cluster.path, "chart_values", name, *path),
                    on_one_line(f"{name} runs {image}; the catalog has {instead}"),
                    "remove the value, unless you trust that image; or copy the image to the ECR of the account and "
                    "set that repository",
                )


def _of_chart(
    chart: Chart, values: Mapping[str, Any], config: EnvironmentConfig, catalog: Catalog
) -> Iterator[tuple[KeyPath, str, str]]:
    for image in chart.images:
        given = [path for path in image.paths if value_at(values, path) is not None]
        repository, tag = image_of_values(image, values)
        is_of_eks = image.registry == "eks_regional" and _is_of_eks(repository, image.repository, catalog)
        is_known = (
            is_of_eks
            or repository == image.repository
            or _is_of_accounts(repository, image)
            or _is_own(repository, config, catalog)
        )
        if given and not (is_known and tag.partition("@")[0] == image.tag):
            yield tuple(given[0].split(".")), f"{repository}:{tag}", f"{image.repository}:{image.tag}"


def _is_of_accounts(repository: str, image: ChartImage) -> bool:
    registries = image.accounts.registries if image.accounts is not None else ()
    return repository in {f"{registry}/{image.repository}" for registry in registries}


def _paths(chart: Chart) -> Iterator[str]:
    for image in chart.images:
        yield from image.paths


def _free_images(values: Any, path: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    """Images in free Kubernetes content, such as additional containers."""
    if isinstance(values, Mapping):
        for key, value in values.items():
            if key in ("image", "repository") and isinstance(value, str) and value:
                yield (*path, str(key)), value
            yield from _free_images(value, (*path, str(key)))
    elif isinstance(values, (list, tuple)):
        for position, value in enumerate(values):
            yield from _free_images(value, (*path, position))


def _is_own(reference: str, config: EnvironmentConfig, catalog: Catalog) -> bool:
    host = private_ecr(registry_of(reference), catalog)
    return host is not None and host.account == config.account


def _is_of_eks(reference: str, repository: str, catalog: Catalog) -> bool:
    return reference in {f"{region.eks_image_registry}/{repository}" for region in catalog.regions}
