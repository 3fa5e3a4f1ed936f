"""boto3 clients that can reach this local AWS and nothing else."""

from __future__ import annotations

import functools
import os
import threading
from typing import Any

import boto3
import botocore.session
from botocore import UNSIGNED
from botocore.auth import S3SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.config import Config
from botocore.credentials import Credentials

from local_aws.http.in_process_transport import answer_here, is_here
from local_aws.http.signing import ALGORITHM, Scope
from local_aws.run_secrets import secret_of

GLOBAL_SERVICES = frozenset({"iam", "sts", "s3"})
"""Services that moto keeps once per account, under the name of the partition."""
ENDPOINT_BY_PARAMETERS = frozenset({"dynamodb", "s3", "s3control"})
"""Services whose endpoint rules read a call's parameters, or name another way to sign, also for a given endpoint."""

_clients: dict[tuple[str, str, str, str], Any] = {}
_lock = threading.Lock()


def local_client(service: str, endpoint: str, account: str, region: str) -> Any:
    """A client whose access key id is the account, as this local AWS reads it. No profile, no retries.

    Clients are kept until ``close_clients``: making one costs tens of milliseconds, and boto3 promises
    thread safety for using clients but not for making them.
    """
    key = (service, endpoint, account, region)
    with _lock:
        if key not in _clients:
            _clients[key] = _new_client(service, endpoint, account, region)
        return _clients[key]


def close_clients(endpoint: str) -> None:
    """Closes the connections of every client of this endpoint and forgets them."""
    with _lock:
        for key in [key for key in _clients if key[1] == endpoint]:
            _clients.pop(key).close()


def _new_client(service: str, endpoint: str, account: str, region: str) -> Any:
    config = Config(
        retries={"mode": "standard", "total_max_attempts": 1},
        s3={"addressing_style": "path"},
        proxies={},
        ignore_configured_endpoint_urls=True,
        max_pool_connections=20,
        signature_version=UNSIGNED if is_here(endpoint) else None,
        user_agent="neuron-cluster",
    )
    client = _bare_session().client(
        service,
        region_name=region,
        endpoint_url=endpoint,
        config=config,
        aws_access_key_id=account,
        aws_secret_access_key=secret_of(endpoint),
    )
    if is_here(endpoint):
        client.meta.events.register("before-parameter-build", _name_attempt)
        client.meta.events.register("before-sign", functools.partial(_name_caller, account))
        client.meta.events.register("before-send", answer_here)
        if service not in ENDPOINT_BY_PARAMETERS:
            # To evaluate the rules takes a tenth of a call; for a given endpoint their result is that endpoint.
            vars(client)["_ruleset_resolver"] = None
    return client


def _name_attempt(*, context: dict[str, Any], **_: object) -> None:
    """A call that is not repeated needs no id of its attempts, for which botocore asks the kernel."""
    context["retries"] = {"invocation-id": "own-call"}


def _name_caller(account: str, *, request: AWSRequest, signing_name: str, region_name: str, **_: object) -> None:
    """The part of a signature that names the caller. An own call needs no proof; signing takes 0.5 ms."""
    scope = Scope("20260101", region_name, signing_name)
    request.headers["Authorization"] = f"{ALGORITHM} Credential={account}/{scope}, SignedHeaders=host, Signature=none"


def presigned_put(endpoint: str, account: str, region: str, path: str, seconds: int) -> str:
    """The URL to which anybody may PUT for so many seconds; ``path`` begins with a slash."""
    request = AWSRequest("PUT", f"{endpoint}{path}")
    S3SigV4QueryAuth(Credentials(account, secret_of(endpoint)), "s3", region, expires=seconds).add_auth(request)
    return str(request.url)


@functools.cache
def _bare_session() -> Any:
    """A session blind to the user's variables, profiles and files; one for all clients, which share its service models.

    Each setting stands without its environment variable: some of them (a profile that does not exist, FIPS
    endpoints, an unknown retry mode) would end in an error, whatever other settings there are.
    """
    settings = botocore.session.Session.SESSION_VARIABLES
    unheard = {name: (key, None, default, convert) for name, (key, _, default, convert) in settings.items()}
    session = botocore.session.Session(session_vars=unheard)
    session.set_config_variable("config_file", os.devnull)
    session.set_config_variable("credentials_file", os.devnull)
    return boto3.session.Session(botocore_session=session)


def partition_of(region: str) -> str:
    """``aws``, ``aws-cn``, …: the part of AWS that the Region belongs to."""
    from moto.utilities.utils import get_partition

    return str(get_partition(region))


def moto_backend(service: str, account: str, region: str) -> Any:
    """moto's own state of a service: for seeds and for what no API call can set."""
    from moto.backends import get_backend

    backends: Any = get_backend(service)  # type: ignore[call-overload]  # moto types each service by its literal name
    return backends[account][partition_of(region) if service in GLOBAL_SERVICES else region]
