"""Service Quotas: what an account may run."""

from __future__ import annotations

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client


def ec2_quota(target: Target, code: str) -> float | None:
    """The value of a quota of EC2 that applies to the account in the Region; None for a code that EC2 does not have."""
    quotas = client(target, "service-quotas")
    with translated():
        try:
            return float(quotas.get_service_quota(ServiceCode="ec2", QuotaCode=code)["Quota"]["Value"])
        except quotas.exceptions.NoSuchResourceException:
            return None
