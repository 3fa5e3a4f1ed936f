"""Every chart and image that an environment needs from a registry: what a network without internet must mirror."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.ecr_host import EcrHost, ecr_host, private_registry
from neuron_cluster.catalog.region import Region
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.plan.addon_plan import ChartPlan
from neuron_cluster.plan.chart_images import images_of_chart
from neuron_cluster.plan.cluster_plan import ClusterPlan

NO_DIGESTS: Mapping[str, str | None] = {}
WITHOUT_HOST = "docker.io"
"""Where an image without a registry in its name comes from."""


class Origin(enum.Enum):
    """Where an image or chart comes from, before any cache."""

    PUBLIC = "public"
    REGIONAL = "EKS in the Region"
    PRIVATE = "private ECR"
    ANOTHER_REGION = "ECR of another Region"
    OTHER = "another registry"
    """A registry that is not known here, such as one in a company's own network."""


class NeededChart(Struct, frozen=True):
    """A chart that Helm fetches. Bundled charts are part of this project and are not listed."""

    path: KeyPath
    release: str
    chart: str
    reference: str
    """As its authors publish it: ``oci://…`` or the address of a chart repository; where they do not, in the account's
    ECR."""
    version: str
    digest: str | None
    component: str
    is_public: bool
    mirror: str | None
    """Where Helm fetches it when that is the ECR of the account."""
    is_copied: bool
    """Whether that is a copy and not the cache."""


class NeededImage(Struct, frozen=True):
    """A container image. ``mirror`` is the name it is pulled by when that is in the ECR of the account."""

    path: KeyPath
    reference: str
    digest: str | None
    needed_by: tuple[str, ...]
    origin: Origin
    mirror: str | None
    is_copied: bool
    """Whether that is a copy and not the cache."""


def origin_of(reference: str, region: Region, catalog: Catalog) -> Origin:
    """Returns the origin by the host of an image; public are the registries that the catalog has as such."""
    host = registry_of(reference)
    if host == region.eks_image_registry:
        return Origin.REGIONAL
    private = private_ecr(host, catalog)
    if private is not None:
        return Origin.PRIVATE if private.region == region.name else Origin.ANOTHER_REGION
    return Origin.PUBLIC if catalog.pull_through_upstreams.of_host(host) is not None else Origin.OTHER


def private_ecr(host: str, catalog: Catalog) -> EcrHost | None:
    """Account and Region of the private ECR registry at this host; None for other hosts."""
    return ecr_host(host, {region.name for region in catalog.regions})


def trusted_registries(account: str, catalog: Catalog) -> frozenset[str]:
    """Hosts that may see an ECR token of ``account``: its own registries, and the regional ones of AWS."""
    own = {private_registry(account, region.name) for region in catalog.regions}
    of_charts = (image.accounts for chart in catalog.charts for image in chart.images if image.accounts is not None)
    own.update(registry for accounts in of_charts for registry in accounts.registries)
    return frozenset(own | {region.eks_image_registry for region in catalog.regions if region.eks_image_registry})


def registry_of(reference: str) -> str:
    """The host that a reference names; Docker Hub where it names none."""
    first, slash, _ = (reference.partition("://")[2] or reference).partition("/")
    return first if slash and ("." in first or ":" in first) else WITHOUT_HOST


def needed_charts(plan: ClusterPlan, catalog: Catalog) -> tuple[NeededChart, ...]:
    """In the order in which they are installed."""
    return tuple(_needed_chart(chart, plan, catalog) for chart in plan.charts if chart.repository)


def _needed_chart(chart: ChartPlan, plan: ClusterPlan, catalog: Catalog) -> NeededChart:
    row = catalog.charts.get(chart.chart)
    registry = private_registry(plan.account, plan.region)
    reference = row.address_in(registry) if row is not None else chart.repository
    return NeededChart(
        path=chart.path,
        release=chart.release,
        chart=chart.chart,
        reference=reference,
        version=chart.version,
        digest=chart.digest,
        component=chart.component or chart.release,
        is_public=row is not None and row.public_registry,
        mirror=chart.repository if chart.repository != reference else None,
        is_copied=plan.is_copy(chart.repository),
    )


def needed_images(
    plan: ClusterPlan, catalog: Catalog, digests: Mapping[str, str | None] = NO_DIGESTS
) -> tuple[NeededImage, ...]:
    """Returns images of charts in their order, then of ``neuron.containers``; each once, with all that need it.

    ``digests`` are those of the lock, by public name.
    """
    region = catalog.regions.get(plan.region)
    if region is None:  # rule E6001 ran before
        raise LookupError(f"the catalog has no Region {plan.region}")
    found: dict[str, NeededImage] = {}
    for path, component, pulled_as in _pulled(plan, catalog, region.eks_image_registry):
        name = plan.public_name(pulled_as)
        before = found.get(name)
        found[name] = NeededImage(
            path=before.path if before is not None else path,
            reference=name,
            digest=digests.get(name),
            needed_by=tuple(dict.fromkeys((*(before.needed_by if before is not None else ()), component))),
            origin=origin_of(name, region, catalog),
            mirror=pulled_as if pulled_as != name else None,
            is_copied=plan.is_copy(pulled_as),
        )
    return tuple(found.values())


def _pulled(plan: ClusterPlan, catalog: Catalog, regional_registry: str | None) -> Iterator[tuple[KeyPath, str, str]]:
    """Key path, who needs it, and the name it is pulled by."""
    for chart in plan.charts:
        for reference in images_of_chart(chart, catalog, regional_registry):
            yield chart.path, chart.component or chart.release, reference
    for manifest in plan.kubernetes.manifests if plan.kubernetes is not None else ():
        for reference in manifest.images:
            yield manifest.path, manifest.component, reference
    for position, reference in enumerate(plan.containers):
        yield ("neuron", "containers", position), "neuron.containers", plan.pulled_as(reference)
