"""Third-party Helm charts: pinned version, repository, values, images."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct

from local_kubernetes.model.placement import Toleration
from neuron_cluster.catalog.chart_contract import AdmissionWebhooks, ChartNeed, PodAccount, ProvidedKind
from neuron_cluster.catalog.ecr_host import private_registry
from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.sourced_row import SourcedRow
from neuron_cluster.catalog.version import version_key
from neuron_cluster.findings.suggestions import suggestions

OCI = "oci://"
"""Helm's prefix of a chart reference in an OCI registry."""
ALGORITHM = "sha256:"
COMMIT = re.compile(r"[0-9a-f]{40}")
SHORT_COMMIT = 12
"""Digits of a commit in the version of a chart that is built from it."""
DIGEST_KEYS = ("digest", "sha")
"""How charts name the keys of images that take a digest; which form a key takes does not follow from its name."""


class DigestKey(Struct, frozen=True, kw_only=True):
    """The key of the values that takes an image's digest."""

    path: str
    """Dotted path in the values."""
    algorithm: bool
    """Whether its value begins with ``sha256:``; if not, the chart's template writes that before it."""

    def value_for(self, digest: str) -> str:
        """Returns the value to set at the key, for a digest with its algorithm."""
        return digest if self.algorithm else digest.removeprefix(ALGORITHM)


class RegionalAccounts(Struct, frozen=True, kw_only=True):
    """The accounts whose ECR has an image, one for each Region."""

    by_region: FrozenMap[str, str]
    otherwise: str
    """The Region whose registry every other Region pulls from."""

    @property
    def registries(self) -> tuple[str, ...]:
        """Their hosts."""
        return tuple(private_registry(account, region) for region, account in self.by_region.items())

    def registry_of(self, region: str) -> str:
        """The host that nodes of a Region pull from."""
        own = region if region in self.by_region else self.otherwise
        return private_registry(self.by_region[own], own)


class ChartImage(Struct, frozen=True, kw_only=True):
    """An image of the chart. ``value_path`` is the key in the values with repository and tag.

    ``registry`` is its source: ``public``, ``eks_regional`` for the registry of EKS in the cluster's Region
    (``Region.eks_image_registry``), or ``accounts`` for that of the account of its Region among ``accounts``; the
    repository of these two is a path inside the registry. ``is_whole`` is true where ``value_path`` itself takes
    repository and tag as one text. ``registry_path`` is the key for the registry's host, in charts that keep it apart
    from the repository. ``switches`` are the keys that must all be true for it to run, each with the chart's default;
    none: the chart always runs it. ``digest`` is None where the chart takes none.
    """

    value_path: str
    registry: Literal["public", "eks_regional", "accounts"]
    repository: str
    tag: str
    registry_path: str | None = None
    digest: DigestKey | None = None
    switches: FrozenMap[str, bool] = FrozenMap()
    accounts: RegionalAccounts | None = None
    is_whole: bool = False

    @property
    def paths(self) -> tuple[str, ...]:
        """The keys that choose the image, that of its repository first."""
        if self.is_whole:
            return (self.value_path,)
        own = (f"{self.value_path}.repository", self.registry_path, f"{self.value_path}.tag")
        return tuple(path for path in own if path is not None)

    def values_for(self, repository: str, tag: str | None = None) -> Mapping[str, str]:
        """The dotted paths and what to set there, so that the image comes from this repository (with its host).

        ``tag`` is for charts that take both as one text; None: the chart's own.
        """
        if self.is_whole:
            return {self.value_path: f"{repository}:{tag or self.tag}"}
        if self.registry_path is None:
            return {f"{self.value_path}.repository": repository}
        host, _, path = repository.partition("/")
        return {self.registry_path: host, f"{self.value_path}.repository": path}

    def registry_in(self, region: str, eks_registry: str | None) -> str | None:
        """The registry of a Region that has it; None for a public image, and where that of EKS is not known."""
        if self.accounts is not None:
            return self.accounts.registry_of(region)
        return eks_registry if self.registry == "eks_regional" else None


class GitSource(Struct, frozen=True, kw_only=True):
    """A chart that no registry has: a folder of a Git repository, which is packaged and pushed to the account's ECR."""

    commit: str
    path: str
    chart_version: str
    """The version in its ``Chart.yaml``, which commits share."""
    ecr_repository: str
    """The name of the repository in the ECR of each account and Region; it ends with that of the chart."""

    @property
    def version(self) -> str:
        """The version that the package gets: no two commits have the same."""
        return f"{self.chart_version}+{self.commit[:SHORT_COMMIT]}"


class TestedVersions(Struct, frozen=True, kw_only=True):
    """Minor versions of Kubernetes, both included."""

    first: str
    """Lowest minor version."""
    last: str
    """Highest minor version."""

    def has(self, version: str) -> bool:
        """Whether a minor version such as ``1.35`` is among them."""
        return version_key(self.first) <= version_key(version) <= version_key(self.last)


class Chart(SourcedRow, frozen=True, kw_only=True):
    """One chart. ``repository`` is the whole OCI reference (``location: oci``), the address of a chart repository, or
    of a Git repository (``location: git``) with ``git``.

    ``values`` maps each key that may be set, as a dotted path, to the kind of its value; ``mapping`` and ``list``
    have free Kubernetes content. ``instance_types`` are the Neuron types that the chart's own affinity admits.
    ``own_values`` are keys that only the toolkit sets, each with the reason.
    ``release`` is the name of its release, from which many charts derive the names of their objects.
    ``crds`` is where the chart has its custom resource definitions. Helm installs those of a folder ``crds/``
    (``crds_folder``), also of a chart within the chart (``subchart``), once, and never updates them.
    ``kubernetes_tested`` are the minor versions that its authors test, None where no page of theirs has them.
    """

    version: str
    app_version: str | None
    location: Literal["oci", "repository", "git"]
    repository: str
    digest: str | None
    public_registry: bool
    release: str
    namespace: str
    further_namespaces: tuple[str, ...]
    kubernetes_tested: TestedVersions | None
    instance_types: tuple[str, ...]
    default_tolerations: FrozenMap[str, tuple[Toleration, ...]]
    provides: tuple[ProvidedKind, ...]
    crds: Literal["templates", "crds_folder", "subchart", "none"]
    webhooks: AdmissionWebhooks
    needs: tuple[ChartNeed, ...]
    service_accounts: tuple[PodAccount, ...]
    images: tuple[ChartImage, ...]
    values: FrozenMap[str, str]
    own_values: FrozenMap[str, str] = FrozenMap()
    git: GitSource | None = None

    def address_in(self, registry: str) -> str:
        """Where Helm takes it from: as it is published, or from the ECR of the account, whose host is ``registry``."""
        return f"{OCI}{registry}/{self.git.ecr_repository}" if self.git is not None else self.repository

    @property
    def switch_defaults(self) -> Mapping[str, bool]:
        """The chart's defaults of the flags that enable images, and so pods."""
        return {switch: setting for image in self.images for switch, setting in image.switches.items()}

    @property
    def has_webhooks(self) -> bool:
        """Whether the chart has admission webhooks."""
        return self.webhooks != "none"

    @property
    def keeps_old_crds(self) -> bool:
        """Whether an update of the release leaves its custom resource definitions as they were installed.

        Source: https://helm.sh/docs/chart_best_practices/custom_resource_definitions/.
        """
        return self.crds in ("crds_folder", "subchart")

    def value_kind(self, path: str) -> str | None:
        """The kind of value that the chart expects at this dotted path; None when it has no such key."""
        return self.values.get(path)

    def digest_key(self, path: str) -> DigestKey | None:
        """The digest of an image at this dotted path of the values; None where the path is none."""
        keys = (image.digest for image in self.images if image.digest is not None)
        return next((key for key in keys if key.path == path), None)

    def similar_values(self, path: str) -> list[str]:
        """Known dotted paths that look like ``path``."""
        return suggestions(path, self.values)

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if self.repository.startswith(OCI) != (self.location == "oci"):
            yield "repository", "does not fit location"
        yield from self._contradictions_of_source()
        for path in self.default_tolerations:
            if self.values.get(path) != "list":
                yield f"default_tolerations.{path}", "is not a list in values"
        yield from (("own_values", f"{path} is not in values") for path in self.own_values if path not in self.values)
        if (self.crds == "none") != (not self.provides):
            yield "crds", "does not fit provides"
        yield from self._contradictions_of_images()
        for switch in self._switches():
            if self.values.get(switch) != "boolean":
                yield "values", f"{switch} is not a boolean there, but other fields use it as one"

    def _contradictions_of_source(self) -> Iterator[tuple[str, str]]:
        if (self.git is None) == (self.location == "git"):
            yield "git", "does not fit location"
        if self.git is None:
            return
        if not COMMIT.fullmatch(self.git.commit):
            yield "git.commit", "is not a whole commit"
        if self.version != self.git.version:
            yield "version", f"is not {self.git.version}, that of the commit"
        if self.git.ecr_repository.rpartition("/")[2] != self.name:
            yield "git.ecr_repository", "does not end with the name of the chart, which helm appends"

    def _contradictions_of_images(self) -> Iterator[tuple[str, str]]:
        for image in self.images:
            digest = (image.digest.path,) if image.digest is not None else ()
            for key in (*image.paths, *digest):
                if self.values.get(key) != "string":
                    yield "images", f"{key} is not in values"
            if (image.accounts is None) == (image.registry == "accounts"):
                yield "images", f"accounts of {image.value_path} do not fit its registry"
        for path, kind in self.values.items():
            if path.rpartition(".")[2] in DIGEST_KEYS and kind == "string" and self.digest_key(path) is None:
                yield f"values.{path}", "is the digest of an image, but no image has it as digest"

    def _switches(self) -> Iterator[str]:
        conditions = (*(kind.when for kind in self.provides), *(need.when for need in self.needs))
        yield from (switch for switch in conditions if switch is not None)
        yield from self.switch_defaults
