"""Requests for larger quotas that AWS has not decided: a quota that is too small is being raised, or is not."""

from __future__ import annotations

from neuron_cluster.aws.reading import NotRead, reading
from neuron_cluster.aws.service_quotas import QuotaRequest, open_requests
from neuron_cluster.deploy.destination import Destination

PERMISSION = "servicequotas:ListRequestedServiceQuotaChangeHistoryByQuota"


def increase_hint(destination: Destination, service: str, code: str, *, needed: float, desired: float) -> str:
    """Returns the command that requests ``desired``, unless a request for ``needed`` or more is open.

    An open request that is too small, and requests that could not be read, are named after the command.
    """
    found = reading("service-quotas", lambda: open_requests(destination.target, service, code))
    region = destination.region
    history = f"aws service-quotas list-requested-service-quota-change-history --service-code {service}"
    shows = f"`{history} --region {region}` shows its status"
    if not isinstance(found, NotRead) and found and found[0].value >= needed:
        return f"wait until AWS has decided: {_words(found[0])} ({shows})"
    request = (
        f"aws service-quotas request-service-quota-increase --service-code {service} --quota-code {code} "
        f"--desired-value {desired:.0f} --region {region}"
    )
    hint = f"`{request}`, which AWS grants in minutes or days ({shows})"
    if isinstance(found, NotRead):
        return f"{hint}; whether such a request is open was not read ({found.reason})"
    if found:
        return f"{hint}; {_words(found[0])}, and AWS may reject a second request until it has decided"
    return hint


def _words(request: QuotaRequest) -> str:
    return f"the request of {request.created:%Y-%m-%d} for {request.value:,.0f} is {request.status}"
