"""Client ids of OpenID Connect providers, which moto takes at creation only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.contract import Call
from local_aws.registry import operation


@operation("iam", "AddClientIDToOpenIDConnectProvider")
def add_client_id(call: Call) -> Mapping[str, Any]:
    """Adding one that is there already is no error."""
    client_ids = _client_ids(call)
    if call.parameters["ClientID"] not in client_ids:
        client_ids.append(call.parameters["ClientID"])
    return {}


@operation("iam", "RemoveClientIDFromOpenIDConnectProvider")
def remove_client_id(call: Call) -> Mapping[str, Any]:
    """Removing one that is not there is no error."""
    client_ids = _client_ids(call)
    if call.parameters["ClientID"] in client_ids:
        client_ids.remove(call.parameters["ClientID"])
    return {}


def _client_ids(call: Call) -> list[str]:
    provider = call.moto_backend("iam").get_open_id_connect_provider(call.parameters["OpenIDConnectProviderArn"])
    client_ids: list[str] = provider.client_id_list
    return client_ids
