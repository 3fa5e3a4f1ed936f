"""Listeners of load balancers that stop using TLS: moto keeps their certificates."""

from __future__ import annotations

from typing import Any

from moto.elbv2.models import ELBv2Backend

from local_aws.services.overrides import override

ENCRYPTED = frozenset({"HTTPS", "TLS"})


@override(ELBv2Backend, "modify_listener")
def modify_listener(original: Any, _backend: Any, *given: Any, **named: Any) -> Any:
    listener = original(*given, **named)
    if listener.protocol not in ENCRYPTED:
        listener.certificate, listener.certificates = None, []
    return listener
