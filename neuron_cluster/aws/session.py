"""Clients for one target: an AWS Region with the user's own credentials, or the local AWS and nothing else."""

from __future__ import annotations

import functools
import os
import threading
from datetime import datetime
from typing import Any

import boto3
import botocore.session
from botocore.config import Config
from botocore.utils import parse_timestamp
from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.run_secrets import secret_of


class AwsTarget(Struct, frozen=True):
    """AWS, with whatever credentials the environment has."""

    region: str


class LocalTarget(Struct, frozen=True):
    """The local AWS at ``endpoint``; its access key id is the account."""

    region: str
    account: str
    endpoint: str


Target = AwsTarget | LocalTarget

_clients: dict[tuple[Target, str], Any] = {}
_making = threading.Lock()
"""boto3's sessions make one client at a time; the clients themselves serve many threads."""


def client(target: Target, service: str) -> Any:
    """A boto3 client, made once. Raises ``ToolkitError`` for credentials or a profile that cannot be read."""
    with _making:
        if (target, service) not in _clients:
            with translated():
                _clients[target, service] = _new_client(target, service)
    return _clients[target, service]


def close_clients(target: Target) -> None:
    """Closes the connections to a target that will not be asked again."""
    for key in [key for key in _clients if key[0] == target]:
        _clients.pop(key).close()


def _new_client(target: Target, service: str) -> Any:
    return _local_client(target, service) if isinstance(target, LocalTarget) else _aws_client(target, service)


def _aws_client(target: AwsTarget, service: str) -> Any:
    config = Config(retries={"mode": "standard", "max_attempts": 5}, connect_timeout=10)
    return boto3.session.Session(region_name=target.region).client(service, config=config)


def _local_client(target: LocalTarget, service: str) -> Any:
    config = Config(
        retries={"max_attempts": 0},
        s3={"addressing_style": "path"},
        proxies={},
        ignore_configured_endpoint_urls=True,
    )
    return _bare_session().client(
        service,
        region_name=target.region,
        endpoint_url=target.endpoint,
        aws_access_key_id=target.account,
        aws_secret_access_key=secret_of(target.endpoint),
        config=config,
    )


def _point_in_time(written: Any) -> datetime:
    """As botocore reads it, which takes 250 times as long for ISO 8601: every look at a deploy reads hundreds."""
    try:
        return datetime.fromisoformat(written)
    except (TypeError, ValueError):  # a number, or the words of an HTTP header
        found: datetime = parse_timestamp(written)
        return found


@functools.cache
def _bare_session() -> Any:
    """Blind to every profile, variable and proxy of the user, so that it cannot reach AWS.

    One for all clients, which share its service models: those of EC2 alone take a tenth of a second to read.
    """
    settings = botocore.session.Session.SESSION_VARIABLES
    # Each setting without its environment variable: AWS_PROFILE alone would end in "profile not found".
    unheard = {name: (key, None, default, convert) for name, (key, _, default, convert) in settings.items()}
    bare = botocore.session.Session(session_vars=unheard)
    bare.set_config_variable("config_file", os.devnull)
    bare.set_config_variable("credentials_file", os.devnull)
    bare.get_component("response_parser_factory").set_parser_defaults(timestamp_parser=_point_in_time)
    return boto3.session.Session(botocore_session=bare)
