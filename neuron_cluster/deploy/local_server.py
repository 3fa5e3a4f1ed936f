"""The local AWS that a command works with: the one that runs for this project, or its own."""

from __future__ import annotations

import contextlib
import errno
import hmac
import http.client
import json
import os
import secrets
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from local_aws.environment import scrubbed
from local_aws.http.signing import signed_headers
from local_aws.run_secrets import PROOF_PATH, proof, remember_secret, secret_of
from neuron_cluster.deploy.disk import unusable_folder
from neuron_cluster.deploy.local_note import LocalNote, noted, read_note
from neuron_cluster.deploy.work_folder import work_folder
from neuron_cluster.errors import ToolkitError

if TYPE_CHECKING:
    from local_aws.server import LocalAws
    from neuron_cluster.plan.cluster_plan import ClusterPlan

RECORDED = "/_neuron/recorded"
"""Path under which the local AWS returns the requests of custom resources; no other server has it."""

OF_PORTS = frozenset({errno.EADDRINUSE, errno.EADDRNOTAVAIL, errno.EACCES, errno.EPERM})
"""Errors of the system about a port; any other error is about the files of the local AWS."""

PROBE_SECONDS = 5.0

LARGEST_ANSWER = 100 * 1024**2
"""Bytes that are read of an answer: the record holds the objects of every chart."""

SECOND = "a copy of the project in another folder has a local AWS of its own"

RECORD = "record"
"""The service that requests for the record are signed for; AWS has none of this name."""


class LocalServer(Struct, frozen=True):
    """A local AWS that answers."""

    endpoint: str
    ends_with_command: bool
    is_fresh_account: bool = False


@contextlib.contextmanager
def isolated_environ() -> Iterator[None]:
    """Inside, this process has no variable that chooses credentials, a profile, an endpoint or a proxy."""
    before = dict(os.environ)
    scrubbed_environ = scrubbed(before, {})
    for name in before.keys() - scrubbed_environ.keys():
        del os.environ[name]
    try:
        yield
    finally:
        os.environ.update(before)


@contextlib.contextmanager
def local_server(project: Path) -> Iterator[LocalServer]:
    """The project's running local AWS, else one that lives as long as the block."""
    running = running_server(project)
    if running is not None:
        yield running
        return
    from neuron_cluster.local_checks.product_local_aws import product_local_aws

    with work_folder() as folder, product_local_aws(principals_must_exist=True, files_in=folder) as aws:
        yield LocalServer(aws.endpoint, ends_with_command=True)


@contextlib.contextmanager
def foreground_local_server(port: int, *, is_fresh_account: bool = False) -> Iterator[LocalAws]:
    """A local AWS on this port, to be kept running. Raises ``ToolkitError`` when the port is taken or a disk full."""
    with work_folder() as folder, _listening(port, folder, is_fresh_account=is_fresh_account) as server:
        yield server


def _listening(port: int, folder: Path, *, is_fresh_account: bool) -> LocalAws:
    from neuron_cluster.local_checks.product_local_aws import product_local_aws

    try:
        return product_local_aws(port, principals_must_exist=True, files_in=folder, is_fresh_account=is_fresh_account)
    except OSError as error:
        if error.errno not in OF_PORTS:
            raise unusable_folder(folder.parent, error) from error
        hint = "end what listens there, or choose another: --port N (0: any free one)"
        raise ToolkitError(f"port {port} cannot be used: {error.strerror}", hint=hint) from error


def make_named_resources(endpoint: str, plan: ClusterPlan) -> None:
    """Makes what the file names, and AWS has before the deploy: IAM principals, and the target of a replication."""
    from neuron_cluster.local_checks.buckets import make_versioned_bucket
    from neuron_cluster.local_checks.principals import make_principals

    principals = [arn for provider in plan.providers for _, arn in provider.principals()]
    make_principals(endpoint, plan.region, principals)
    bucket = plan.storage.bucket if plan.storage is not None else None
    if bucket is not None and bucket.replication is not None:
        copies = bucket.replication
        make_versioned_bucket(endpoint, copies.account, copies.region, copies.bucket)


def running_endpoint(project: Path) -> str | None:
    """Endpoint of the local AWS that ``neuron-cluster local`` keeps for this project; none when it is gone.

    It has proven that it has the secret of the note, which clients of this process sign with from now on. Raises
    ``ToolkitError`` for a note that may be another's.
    """
    note = _running(project)
    return note.endpoint if note is not None else None


def running_server(project: Path) -> LocalServer | None:
    """The same, with what account it plays."""
    note = _running(project)
    return LocalServer(note.endpoint, ends_with_command=False, is_fresh_account=note.is_fresh_account) if note else None


def require_only_server(project: Path) -> None:
    """Raises ``ToolkitError`` when a local AWS runs for this project already."""
    note = _running(project)
    if note is not None:
        where = f"at {note.endpoint}, as process {note.pid}"
        hint = f"use it, or end it with `kill {note.pid}`; {SECOND}"
        raise ToolkitError(f"a local AWS runs for this project already, {where}", hint=hint)


@contextlib.contextmanager
def announced(project: Path, endpoint: str, *, is_fresh_account: bool = False) -> Iterator[None]:
    """Lets other commands of this project, and of this user, find the local AWS while the block lasts."""
    with noted(project, LocalNote(endpoint, os.getpid(), secret_of(endpoint), is_fresh_account)):
        yield


def _running(project: Path) -> LocalNote | None:
    note = read_note(project)
    if note is None or not _is_loopback(note.endpoint) or not _is_alive(note.pid) or not _proves(note):
        return None
    remember_secret(note.endpoint, note.secret)
    return note


def recorded(endpoint: str, account: str, region: str) -> list[dict[str, Any]]:
    """The requests of custom resources to the local AWS: charts, manifests, patches. Raises ``ToolkitError``."""
    target = f"{RECORDED}?{urllib.parse.urlencode({'account': account, 'region': region})}"
    host = urllib.parse.urlsplit(endpoint).netloc
    try:
        signed = signed_headers(secret_of(endpoint), account, region, RECORD, host=host, target=target)
        return list(_get(f"{endpoint}{target}", signed))
    except (urllib.error.URLError, OSError, ValueError) as error:
        raise ToolkitError(f"the local AWS at {endpoint} did not return its record: {error}") from error


def _is_loopback(endpoint: str) -> bool:
    try:
        return urllib.parse.urlsplit(endpoint).hostname == "127.0.0.1"
    except ValueError:
        return False


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def _proves(note: LocalNote) -> bool:
    """Whether the server there has the secret of the note, which is not sent to it."""
    nonce = secrets.token_hex(32)
    try:
        answer = _get(f"{note.endpoint}{PROOF_PATH}?nonce={nonce}", {})
        return hmac.compare_digest(str(answer["proof"]), proof(note.secret, note.endpoint, nonce))
    except (urllib.error.URLError, http.client.HTTPException, OSError, ValueError, KeyError, TypeError, RecursionError):
        return False


def _get(url: str, headers: Mapping[str, str]) -> Any:
    """Reads JSON from this machine, past any proxy."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    request = urllib.request.Request(url, headers=dict(headers))  # noqa: S310 - an endpoint on the loopback interface
    with opener.open(request, timeout=PROBE_SECONDS) as answer:
        return json.loads(answer.read(LARGEST_ANSWER))
