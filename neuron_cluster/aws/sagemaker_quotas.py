"""Quotas of SageMaker for instances, by their names: no source has their codes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from neuron_cluster.aws.service_quotas import NamedQuota, quotas_by_name
from neuron_cluster.aws.session import Target

SERVICE = "sagemaker"
PERMISSIONS = ("servicequotas:ListServiceQuotas",)


class SmallQuota(Struct, frozen=True):
    """A quota that is smaller than what is needed. ``quota`` is None for one that Service Quotas does not list."""

    name: str
    needed: int
    quota: NamedQuota | None


def small_quotas(target: Target, needed: Mapping[str, int]) -> Iterator[SmallQuota]:
    """Yields those of ``needed``, instances by the name of their quota. Raises ``ToolkitError``."""
    found = quotas_by_name(target, SERVICE)
    for name, instances in needed.items():
        quota = found.get(name)
        if quota is None or instances > quota.value:
            yield SmallQuota(name, instances, quota)


def increase_command(quota: NamedQuota, instances: int, region: str) -> str:
    return (
        f"aws service-quotas request-service-quota-increase --service-code {SERVICE} --quota-code {quota.code} "
        f"--desired-value {instances} --region {region}"
    )


def listing_command(region: str) -> str:
    query = '--query "Quotas[].[QuotaCode,QuotaName,Value]"'
    return f"aws service-quotas list-service-quotas --service-code {SERVICE} --region {region} {query}"
