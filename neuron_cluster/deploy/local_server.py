"""The local AWS that a command works with: the one that runs for this project, or its own."""

from __future__ import annotations

import contextlib
import json
import os
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from neuron_cluster.errors import ToolkitError
from neuron_cluster.local_aws.environment import scrubbed

if TYPE_CHECKING:
    from neuron_cluster.local_aws.server import LocalAws
    from neuron_cluster.plan.cluster_plan import ClusterPlan

RECORDED = "/_neuron/recorded"
"""Path under which the local AWS tells what custom resources asked for; no other server has it."""

PROBE_SECONDS = 5.0

SECOND = "use it, or end it first; a copy of the project in another folder has a local AWS of its own"


class LocalServer(Struct, frozen=True):
    """A local AWS that answers."""

    endpoint: str
    ends_with_command: bool


@contextlib.contextmanager
def cut_off() -> Iterator[None]:
    """Inside, this process has no variable that chooses credentials, a profile, an endpoint or a proxy."""
    before = dict(os.environ)
    kept = scrubbed(before, {})
    for name in before.keys() - kept.keys():
        del os.environ[name]
    try:
        yield
    finally:
        os.environ.update(before)


@contextlib.contextmanager
def local_server(project: Path) -> Iterator[LocalServer]:
    """The project's running local AWS, else one that lives as long as the block."""
    endpoint = running_endpoint(project)
    if endpoint is not None:
        yield LocalServer(endpoint, ends_with_command=False)
        return
    from neuron_cluster.local_aws.server import LocalAws

    with LocalAws(principals_must_exist=True) as aws:
        yield LocalServer(aws.endpoint, ends_with_command=True)


@contextlib.contextmanager
def kept_local_server(port: int) -> Iterator[LocalAws]:
    """A local AWS on this port, to be kept running. Raises ``ToolkitError`` when the port is taken."""
    from neuron_cluster.local_aws.server import LocalAws

    try:
        server = LocalAws(port=port, principals_must_exist=True)
    except OSError as error:
        hint = "end what listens there, or choose another: --port N (0: any free one)"
        raise ToolkitError(f"port {port} cannot be used: {error.strerror}", hint=hint) from error
    with server:
        yield server


def make_principals_exist(endpoint: str, plan: ClusterPlan) -> None:
    """Makes the roles and users that the plan's access entries name, which on AWS are there before the cluster."""
    from neuron_cluster.local_aws.seeds.principals import make_principals

    if plan.eks is not None:
        make_principals(endpoint, plan.region, (*plan.eks.admins, *plan.eks.viewers))


def running_endpoint(project: Path) -> str | None:
    """Endpoint of the local AWS that ``neuron-cluster local`` keeps for this project; none when it is gone."""
    try:
        note = json.loads(_note(project).read_text(encoding="utf-8"))
        endpoint, pid = str(note["endpoint"]), int(note["pid"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    is_loopback = urllib.parse.urlsplit(endpoint).hostname == "127.0.0.1"
    return endpoint if is_loopback and _is_alive(pid) and _answers(endpoint) else None


def refuse_second(project: Path) -> None:
    """Raises ``ToolkitError`` when a local AWS runs for this project already."""
    endpoint = running_endpoint(project)
    if endpoint is not None:
        raise ToolkitError(f"a local AWS runs for this project already, at {endpoint}", hint=SECOND)


@contextlib.contextmanager
def announced(project: Path, endpoint: str) -> Iterator[None]:
    """Lets other commands of this project find the local AWS while the block lasts."""
    note = _note(project)
    note.parent.mkdir(exist_ok=True)
    note.write_text(json.dumps({"endpoint": endpoint, "pid": os.getpid()}) + "\n", encoding="utf-8")
    try:
        yield
    finally:
        if _noted_endpoint(project) == endpoint:
            note.unlink(missing_ok=True)


def _noted_endpoint(project: Path) -> str | None:
    """The endpoint that stands in the note, answering or not."""
    try:
        return str(json.loads(_note(project).read_text(encoding="utf-8"))["endpoint"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def recorded(endpoint: str, account: str, region: str) -> list[dict[str, Any]]:
    """What custom resources asked the local AWS for: charts, manifests, patches. Raises ``ToolkitError``."""
    query = urllib.parse.urlencode({"account": account, "region": region})
    try:
        return list(_get(f"{endpoint}{RECORDED}?{query}"))
    except (urllib.error.URLError, OSError, ValueError) as error:
        raise ToolkitError(f"the local AWS at {endpoint} does not tell its record: {error}") from error


def _note(project: Path) -> Path:
    return project / ".local" / "aws.json"


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _answers(endpoint: str) -> bool:
    try:
        return isinstance(_get(f"{endpoint}{RECORDED}?account=000000000000&region=none"), list)
    except (urllib.error.URLError, OSError, ValueError):
        return False


def _get(url: str) -> Any:
    """Reads JSON from this machine, past any proxy."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(url, timeout=PROBE_SECONDS) as answer:
        return json.load(answer)
