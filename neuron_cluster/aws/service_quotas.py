"""Service Quotas of an account."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client


def ec2_quota(target: Target, code: str) -> float | None:
    """The applied value of an EC2 quota in the Region; None for an unknown quota code."""
    return applied_quota(target, "ec2", code)


def applied_quota(target: Target, service: str, code: str) -> float | None:
    """The value of a quota in the Region that a request raised; None for a default value, or an unknown code.

    https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_GetServiceQuota.html: "For some quotas, only
    the default values are available."
    """
    quotas = client(target, "service-quotas")
    with translated():
        try:
            return float(quotas.get_service_quota(ServiceCode=service, QuotaCode=code)["Quota"]["Value"])
        except quotas.exceptions.NoSuchResourceException:
            return None


class NamedQuota(Struct, frozen=True):
    """A quota of a service in the Region, with the value that applies."""

    code: str
    value: float


def quotas_by_name(target: Target, service: str) -> dict[str, NamedQuota]:
    """The quotas of a service by their names, for those whose codes no source has."""
    with translated():
        pages = client(target, "service-quotas").get_paginator("list_service_quotas").paginate(ServiceCode=service)
        rows = [row for page in pages for row in page["Quotas"]]
    return {row["QuotaName"]: NamedQuota(row["QuotaCode"], float(row["Value"])) for row in rows}


class QuotaRequest(Struct, frozen=True):
    """A request for a larger quota that AWS has not decided yet."""

    value: float
    status: str
    created: datetime


OPEN = ("PENDING", "CASE_OPENED")
"""Statuses of requests that are not decided.

https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_RequestedServiceQuotaChange.html
"""


def open_requests(target: Target, service: str, code: str) -> tuple[QuotaRequest, ...]:
    """The requests for a quota that are not decided, the largest first."""
    with translated():
        pager = client(target, "service-quotas").get_paginator("list_requested_service_quota_change_history_by_quota")
        pages = pager.paginate(ServiceCode=service, QuotaCode=code)
        rows = [row for page in pages for row in page["RequestedQuotas"] if row["Status"] in OPEN]
    found = (QuotaRequest(float(row["DesiredValue"]), row["Status"], row["Created"]) for row in rows)
    return tuple(sorted(found, key=lambda request: -request.value))
