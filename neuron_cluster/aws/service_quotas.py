"""Service Quotas of an account."""

from __future__ import annotations

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
