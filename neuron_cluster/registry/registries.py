"""Queries registries for digests; one that does not respond is queried only once."""

from __future__ import annotations

import urllib.parse
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from neuron_cluster.catalog.chart import OCI
from neuron_cluster.catalog.ecr_host import ecr_host
from neuron_cluster.registry.chart_repository import chart_digest
from neuron_cluster.registry.oci import manifest_digest
from neuron_cluster.registry.web import RegistryError


@dataclass
class Registries:
    """``ecr_authorization`` returns the header value of the ECR token, which has the caller's permissions.

    It is sent only to ``trusted`` hosts: an environment file may contain any host. ``regions`` are all that exist.
    """

    ecr_authorization: Callable[[], str]
    trusted: Collection[str]
    regions: Collection[str]
    _silent: dict[str, RegistryError] = field(default_factory=dict)

    def image_digest(self, reference: str) -> str:
        """Digest of ``HOST/NAME:TAG``. Raises ``RegistryError``, and ``ToolkitError`` of ``ecr_authorization``."""
        host = reference.partition("/")[0]
        authorization = self._authorization(host)
        return self._queried(host, lambda: manifest_digest(reference, authorization=authorization))

    def _authorization(self, host: str) -> str | None:
        """The ECR token for a trusted registry; None for registries outside of ECR, which get anonymous requests."""
        if host in self.trusted:
            return self.ecr_authorization()
        found = ecr_host(host, self.regions)
        if found is None:
            return None
        raise RegistryError(
            f"{host} is the ECR registry of account {found.account}; the ECR token is sent to registries of the "
            "environment's account, of EKS and of SageMaker HyperPod only"
        )

    def chart_digest(self, repository: str, chart: str, version: str) -> str:
        """Digest of a chart in an OCI registry (``oci://HOST/…/CHART``) or in a chart repository. Raises as above."""
        if repository.startswith(OCI):
            # An OCI tag cannot hold a plus sign; helm writes an underscore.
            return self.image_digest(f"{repository.removeprefix(OCI)}:{version.replace('+', '_')}")
        host = urllib.parse.urlsplit(repository).hostname or repository
        return self._queried(host, lambda: chart_digest(repository, chart, version))

    def _queried(self, host: str, ask: Callable[[], str]) -> str:
        if host in self._silent:
            raise self._silent[host]
        try:
            return ask()
        except RegistryError as error:
            if error.is_unreachable:
                self._silent[host] = error
            raise
