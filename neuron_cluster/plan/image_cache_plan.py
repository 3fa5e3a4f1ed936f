"""The ECR pull-through cache, and copies next to it: under which names images and charts are pulled."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.catalog.chart import OCI
from neuron_cluster.config.source_map import KeyPath


class CacheRulePlan(Struct, frozen=True):
    """One pull-through cache rule: repositories below ``prefix`` are filled from ``host``."""

    upstream: str
    """ECR's word for the registry, ``ecr-public``."""
    host: str
    """How references name the registry, ``public.ecr.aws``."""
    registry_url: str
    """The settings of ECR, mostly the same."""
    prefix: str
    """``train-trn1/ecr-public``: no other environment of the account has it."""


class CopiesPlan(Struct, frozen=True):
    """What no rule caches, as copies in repositories that `neuron-cluster images --commands` makes and fills."""

    prefix: str
    """``train-trn1/mirror``."""
    hosts: tuple[str, ...]
    """Registries whose images are copied: ECR requires credentials to cache them."""


def copies_prefix(name: str) -> str:
    """The prefix of an environment's copies; the prefixes of its cache end otherwise."""
    return f"{name}/mirror"


class ImageCachePlan(Struct, frozen=True):
    """The cache of one environment, in the registry of its account and Region."""

    path: KeyPath
    registry: str
    """``111122223333.dkr.ecr.us-west-2.amazonaws.com``."""
    rules: tuple[CacheRulePlan, ...]
    copies: CopiesPlan | None = None
    """In a network without a way to the internet; elsewhere what no rule caches is pulled from its own registry."""

    def mirror_of(self, reference: str) -> str | None:
        """Where the account has this image or chart; None where it has none of that registry.

        Takes a repository or a whole reference, with tag or without, and ``oci://`` before it or not.
        """
        scheme, name = _split(reference)
        host, _, path = name.partition("/")
        folder = self._folders().get(host)
        return f"{scheme}{self.registry}/{folder}/{path}" if folder is not None and path else None

    def mirror_of_chart(self, repository: str, chart: str) -> str | None:
        """Where the account has this chart. Copies of charts are in one folder, whatever their origin; one that is
        built into the account's registry has no copy."""
        host = repository.removeprefix(OCI).partition("/")[0]
        if host == self.registry:
            return None
        if self.copies is None or any(rule.host == host for rule in self.rules):
            return self.mirror_of(repository)
        return f"{OCI}{self.registry}/{self.copies.prefix}/charts/{chart}" if repository else None

    def upstream_of(self, reference: str) -> str | None:
        """The public image or chart behind a name in this cache; None for any other name and for copied charts."""
        scheme, name = _split(reference)
        for host, folder in self._folders().items():
            start = f"{self.registry}/{folder}/"
            if name.startswith(start):
                return f"{scheme}{host}/{name.removeprefix(start)}"
        return None

    def is_copy(self, reference: str) -> bool:
        """Whether a name is that of a copy, which a pull does not fill."""
        folder = f"{self.registry}/{self.copies.prefix}/" if self.copies is not None else None
        return folder is not None and _split(reference)[1].startswith(folder)

    def _folders(self) -> dict[str, str]:
        """Host of a public registry to the repositories that hold what it has."""
        copied = {host: f"{self.copies.prefix}/{host}" for host in self.copies.hosts} if self.copies is not None else {}
        return copied | {rule.host: rule.prefix for rule in self.rules}


def _split(reference: str) -> tuple[str, str]:
    return (OCI, reference.removeprefix(OCI)) if reference.startswith(OCI) else ("", reference)
