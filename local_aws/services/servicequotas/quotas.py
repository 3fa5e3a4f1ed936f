"""Service Quotas of EC2, in vCPUs. moto has a fixed list of a VPC's quotas only, which stays."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from local_aws.api_errors import api_error
from local_aws.quotas import SERVICE, quota_value, set_quota, value_at_first, vcpu_quotas
from local_aws.service import Call, operation
from local_aws.services.paging import listing

NAME = "Amazon Elastic Compute Cloud (Amazon EC2)"
QUOTAS = "service-quotas"


@operation(QUOTAS, "ListServiceQuotas")
def list_service_quotas(call: Call) -> Mapping[str, Any]:
    return _page(call, {code: _value(call, code) for code in vcpu_quotas()})


@operation(QUOTAS, "ListAWSDefaultServiceQuotas")
def list_default_quotas(call: Call) -> Mapping[str, Any]:
    if call.parameters["ServiceCode"] != SERVICE:
        quotas = call.moto_backend(QUOTAS).list_aws_default_service_quotas(call.parameters["ServiceCode"])
        return {"Quotas": quotas}
    return _page(call, {code: value_at_first(call.store, code) for code in vcpu_quotas()})


@operation(QUOTAS, "GetServiceQuota")
def get_service_quota(call: Call) -> Mapping[str, Any]:
    given = call.parameters
    if given["ServiceCode"] != SERVICE:
        return {"Quota": call.moto_backend(QUOTAS).get_service_quota(given["ServiceCode"], given["QuotaCode"])}
    return {"Quota": _quota(call, given["QuotaCode"], _value(call, given["QuotaCode"]))}


@operation(QUOTAS, "GetAWSDefaultServiceQuota")
def get_default_quota(call: Call) -> Mapping[str, Any]:
    code = _code(call)
    return {"Quota": _quota(call, code, value_at_first(call.store, code))}


@operation(QUOTAS, "RequestServiceQuotaIncrease")
def request_increase(call: Call) -> Mapping[str, Any]:
    """Granted at once; AWS decides in minutes or days. A smaller value than the present one is refused."""
    code, wanted = _code(call), float(call.parameters["DesiredValue"])
    if wanted <= _value(call, code):
        raise api_error("service-quotas.not_greater")
    set_quota(call.store, call.account, call.region, code, wanted)
    quota = _quota(call, code, wanted)
    now = datetime.now(UTC)
    members = ("ServiceCode", "ServiceName", "QuotaCode", "QuotaName", "QuotaArn", "GlobalQuota", "Unit")
    request = {
        "Id": uuid.uuid4().hex,
        "DesiredValue": wanted,
        "Status": "APPROVED",
        "Created": now,
        "LastUpdated": now,
        **{member: quota[member] for member in members},
    }
    call.table("requests")[request["Id"]] = request
    return {"RequestedQuota": request}


@operation(QUOTAS, "ListRequestedServiceQuotaChangeHistory")
def list_requests(call: Call) -> Mapping[str, Any]:
    return {"RequestedQuotas": list(call.table("requests").values())}


def _code(call: Call) -> str:
    given = call.parameters
    if given["ServiceCode"] != SERVICE or given["QuotaCode"] not in vcpu_quotas():
        raise api_error("service-quotas.no_quota")
    return str(given["QuotaCode"])


def _value(call: Call, code: str) -> float:
    return quota_value(call.store, call.account, call.region, code)


def _page(call: Call, values: Mapping[str, float]) -> Mapping[str, Any]:
    given = call.parameters
    if given["ServiceCode"] != SERVICE:
        raise api_error("service-quotas.no_service")
    quotas = [_quota(call, code, value) for code, value in values.items() if given.get("QuotaCode", code) == code]
    return listing(call, "Quotas", quotas)


def _quota(call: Call, code: str, value: float) -> dict[str, Any]:
    if code not in vcpu_quotas():
        raise api_error("service-quotas.no_quota")
    return {
        "ServiceCode": SERVICE,
        "ServiceName": NAME,
        "QuotaArn": f"arn:aws:servicequotas:{call.region}:{call.account}:{SERVICE}/{code}",
        "QuotaCode": code,
        "QuotaName": vcpu_quotas()[code].name,
        "Value": value,
        "Unit": "None",
        "Adjustable": True,
        "GlobalQuota": False,
    }
