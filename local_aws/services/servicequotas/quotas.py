"""Service Quotas: of EC2 in vCPUs, and of resources that are counted. Of moto's fixed list of a VPC the rest stays."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.quotas import (
    SERVICE,
    TABLE,
    counted_quotas,
    counted_value,
    quota_value,
    set_quota,
    value_at_first,
    vcpu_quotas,
)
from local_aws.registry import operation
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
    if (counted := (given["ServiceCode"], given["QuotaCode"])) in counted_quotas():
        return {"Quota": _counted(call, counted)}
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
    counted = (call.parameters["ServiceCode"], call.parameters["QuotaCode"])
    if counted in counted_quotas():
        return _raise_counted(call, counted, float(call.parameters["DesiredValue"]))
    code, wanted = _code(call), float(call.parameters["DesiredValue"])
    if wanted <= _value(call, code):
        raise api_error("service-quotas.not_greater")
    set_quota(call.store, call.account, call.region, code, wanted)
    return _requested(call, _quota(call, code, wanted), wanted)


@operation(QUOTAS, "ListRequestedServiceQuotaChangeHistory")
def list_requests(call: Call) -> Mapping[str, Any]:
    return _requests(call, ("ServiceCode", "Status"))


@operation(QUOTAS, "ListRequestedServiceQuotaChangeHistoryByQuota")
def list_requests_of_quota(call: Call) -> Mapping[str, Any]:
    return _requests(call, ("ServiceCode", "QuotaCode", "Status"))


def _requests(call: Call, filters: Sequence[str]) -> Mapping[str, Any]:
    given, rows = call.parameters, call.table("requests").values()
    found = [row for row in rows if all(row[name] == given.get(name, row[name]) for name in filters)]
    return listing(call, "RequestedQuotas", found)


def _code(call: Call) -> str:
    given = call.parameters
    if given["ServiceCode"] != SERVICE or given["QuotaCode"] not in vcpu_quotas():
        raise api_error("service-quotas.no_quota")
    return str(given["QuotaCode"])


def _value(call: Call, code: str) -> float:
    return quota_value(call.store, call.account, call.region, code)


def _page(call: Call, values: Mapping[str, float]) -> Mapping[str, Any]:
    given = call.parameters
    if counted := [key for key in counted_quotas() if key[0] == given["ServiceCode"] != SERVICE]:
        return listing(call, "Quotas", [_counted(call, key) for key in counted])
    if given["ServiceCode"] != SERVICE:
        raise api_error("service-quotas.no_service")
    quotas = [_quota(call, code, value) for code, value in values.items() if given.get("QuotaCode", code) == code]
    return listing(call, "Quotas", quotas)


def _quota(call: Call, code: str, value: float) -> dict[str, Any]:
    if code not in vcpu_quotas():
        raise api_error("service-quotas.no_quota")
    return _members(call, SERVICE, NAME, code, vcpu_quotas()[code].name, value)


def _members(call: Call, service: str, title: str, code: str, name: str, value: float) -> dict[str, Any]:
    return {
        "ServiceCode": service,
        "ServiceName": title,
        "QuotaArn": f"arn:aws:servicequotas:{call.region}:{call.account}:{service}/{code}",
        "QuotaCode": code,
        "QuotaName": name,
        "Value": value,
        "Unit": "None",
        "Adjustable": True,
        "GlobalQuota": False,
    }


def _requested(call: Call, quota: Mapping[str, Any], wanted: float) -> Mapping[str, Any]:
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


def _raise_counted(call: Call, counted: tuple[str, str], wanted: float) -> Mapping[str, Any]:
    if wanted <= counted_value(call.store, call.account, call.region, counted):
        raise api_error("service-quotas.not_greater")
    call.store.table(call.account, call.region, TABLE)["/".join(counted)] = wanted
    return _requested(call, _counted(call, counted), wanted)


def _counted(call: Call, counted: tuple[str, str]) -> dict[str, Any]:
    row, value = counted_quotas()[counted], counted_value(call.store, call.account, call.region, counted)
    return _members(call, row.service, row.service, row.code, row.name, value)
