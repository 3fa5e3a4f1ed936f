"""The ECR pull-through cache: which registries it stands for, and under which names their images are pulled."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath

OCI = "oci://"
"""What Helm writes before the reference of a chart that lies in a registry of images."""


class CacheRulePlan(Struct, frozen=True):
    """One pull-through cache rule: repositories below ``prefix`` are filled from ``host``."""

    upstream: str
    """ECR's word for the registry, ``ecr-public``."""
    host: str
    """How references name the registry, ``public.ecr.aws``."""
    registry_url: str
    """What ECR is told, mostly the same."""
    prefix: str
    """``train-trn1/ecr-public``: no other environment of the account has it."""


class ImageCachePlan(Struct, frozen=True):
    """The cache of one environment, in the registry of its account and Region."""

    path: KeyPath
    registry: str
    """``111122223333.dkr.ecr.us-west-2.amazonaws.com``."""
    rules: tuple[CacheRulePlan, ...]

    def mirror_of(self, reference: str) -> str | None:
        """Where the cache has this image or chart; None where it caches no registry of that host.

        Takes a repository or a whole reference, with tag or without, and ``oci://`` before it or not.
        """
        scheme, name = _split(reference)
        host, _, path = name.partition("/")
        rule = next((rule for rule in self.rules if rule.host == host), None)
        return f"{scheme}{self.registry}/{rule.prefix}/{path}" if rule is not None and path else None

    def upstream_of(self, reference: str) -> str | None:
        """The public image or chart behind a name in this cache; None for any other name."""
        scheme, name = _split(reference)
        for rule in self.rules:
            start = f"{self.registry}/{rule.prefix}/"
            if name.startswith(start):
                return f"{scheme}{rule.host}/{name.removeprefix(start)}"
        return None


def _split(reference: str) -> tuple[str, str]:
    return (OCI, reference.removeprefix(OCI)) if reference.startswith(OCI) else ("", reference)
