"""Kubernetes versions of EKS: support dates, and the kubectl layer that the CDK app uses."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from msgspec import Struct

from neuron_cluster.catalog.sourced_row import SourcedRow


class KubectlLayer(Struct, frozen=True, kw_only=True):
    """The Python package with kubectl and helm as a Lambda layer, and its versions."""

    suffix: str
    package: str
    package_version: str
    module: str
    class_name: str
    helm_version: str
    kubectl_version: str


class KubernetesVersion(SourcedRow, frozen=True, kw_only=True):
    """One minor version (``name`` is ``1.35``). Without a ``kubectl_layer`` the toolkit cannot install charts on it."""

    released: date
    standard_support_ends: date
    extended_support_ends: date
    al2023_kernel: str
    kubectl_layer: KubectlLayer | None = None
    kube_scheduler_tag: str | None = None
    """Tag of a kube-scheduler of this minor version among the images of EKS Distro; None where none was found."""

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if not self.released < self.standard_support_ends < self.extended_support_ends:
            yield "standard_support_ends", "release, end of standard and end of extended support must follow each other"
