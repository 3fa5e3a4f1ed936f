"""boto3 clients for one target: an AWS Region with the user's credentials, or the local AWS."""

from __future__ import annotations

import functools
import os
import threading
from datetime import datetime
from typing import Any

import boto3
import botocore.session
from botocore.config import Config
from botocore.loaders import Loader, create_loader
from botocore.utils import parse_timestamp
from msgspec import Struct

from local_aws.run_secrets import secret_of
from neuron_cluster.aws.errors import translated


class AwsTarget(Struct, frozen=True):
    """AWS, with the credentials of the process environment."""

    region: str


class LocalTarget(Struct, frozen=True):
    """The local AWS at ``endpoint``; its access key id is the account."""

    region: str
    account: str
    endpoint: str


Target = AwsTarget | LocalTarget

_clients: dict[tuple[Target, str], Any] = {}
_sessions: dict[AwsTarget, Any] = {}
_making = threading.Lock()
"""boto3's sessions create one client at a time; the clients are thread-safe."""


def client(target: Target, service: str) -> Any:
    """A cached boto3 client. Raises ``ToolkitError`` for credentials or a profile that cannot be read."""
    with _making:
        if (target, service) not in _clients:
            with translated():
                _clients[target, service] = _new_client(target, service)
    return _clients[target, service]


def close_clients(target: Target) -> None:
    """Closes the connections to a target that is no longer used, and forgets its credentials."""
    for key in [key for key in _clients if key[0] == target]:
        _clients.pop(key).close()
    if isinstance(target, AwsTarget):
        _sessions.pop(target, None)


def _new_client(target: Target, service: str) -> Any:
    return _local_client(target, service) if isinstance(target, LocalTarget) else _aws_client(target, service)


def _aws_client(target: AwsTarget, service: str) -> Any:
    config = Config(retries={"mode": "standard", "max_attempts": 5}, connect_timeout=10)
    if target not in _sessions:
        _sessions[target] = _aws_session(target)
    return _sessions[target].client(service, config=config)


def _aws_session(target: AwsTarget) -> Any:
    """One for all clients of a Region: credentials are looked up once, with one call where a profile assumes a role."""
    session = botocore.session.Session()
    session.register_component("data_loader", _models(session.get_config_variable("data_path")))
    return boto3.session.Session(botocore_session=session, region_name=target.region)


@functools.cache
def _models(data_path: str | None) -> Loader:
    """One for all sessions: reading endpoints and service models again lasts longer than most calls."""
    return create_loader(data_path)


def _local_client(target: LocalTarget, service: str) -> Any:
    config = Config(
        retries={"max_attempts": 0},
        s3={"addressing_style": "path"},
        proxies={},
        ignore_configured_endpoint_urls=True,
        user_agent="neuron-cluster",  # botocore makes its own anew twice in each call
    )
    made = _bare_session().client(
        service,
        region_name=target.region,
        endpoint_url=target.endpoint,
        aws_access_key_id=target.account,
        aws_secret_access_key=secret_of(target.endpoint),
        config=config,
    )
    if service == "s3control":
        vars(made)["_ruleset_resolver"] = None  # its rules put the account before the host, also of a given endpoint
    return made


def _point_in_time(written: Any) -> datetime:
    """botocore's own parser needs 250 times as long for ISO 8601: each poll of a deploy reads hundreds of times."""
    try:
        return datetime.fromisoformat(written)
    except (TypeError, ValueError):  # a number, or the words of an HTTP header
        found: datetime = parse_timestamp(written)
        return found


@functools.cache
def _bare_session() -> Any:
    """Ignores every profile, environment variable and proxy of the user, so that it cannot connect to AWS.

    One for all clients, which share its service models: reading those of EC2 lasts a tenth of a second.
    """
    settings = botocore.session.Session.SESSION_VARIABLES
    # Each setting without its environment variable: AWS_PROFILE alone would end in "profile not found".
    unheard = {name: (key, None, default, convert) for name, (key, _, default, convert) in settings.items()}
    bare = botocore.session.Session(session_vars=unheard)
    bare.register_component("data_loader", _models(None))
    bare.set_config_variable("config_file", os.devnull)
    bare.set_config_variable("credentials_file", os.devnull)
    bare.get_component("response_parser_factory").set_parser_defaults(timestamp_parser=_point_in_time)
    return boto3.session.Session(botocore_session=bare)
