"""Service Quotas of an account."""

from __future__ import annotations

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client


def ec2_quota(target: Target, code: str) -> float | None:
    """The applied value of an EC2 quota in the Region; None for an unknown quota code."""
    quotas = client(target, "service-quotas")
    with translated():
        try:
            return float(quotas.get_service_quota(ServiceCode="ec2", QuotaCode=code)["Quota"]["Value"])
        except quotas.exceptions.NoSuchResourceException:
            return None
