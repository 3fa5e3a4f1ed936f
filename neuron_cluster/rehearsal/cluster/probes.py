"""Probes of containers: startup, then liveness and readiness.

Source: Kubernetes documentation, Configure Liveness, Readiness and Startup Probes; API reference, Probe (defaults).
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from local_kubernetes.model.fields import at, items
from local_kubernetes.model.names import PROBE_FAILURE_THRESHOLD, PROBE_PERIOD_SECONDS
from neuron_cluster.rehearsal.clock import SLOW
from neuron_cluster.rehearsal.cluster.objects import Container, Pod
from neuron_cluster.rehearsal.cluster.world import World
from neuron_cluster.rehearsal.timeline import Source

STARTUP, LIVENESS, READINESS = "startupProbe", "livenessProbe", "readinessProbe"
OWN_POD = "http://127.0.0.1:"
SHORTEST_WAIT_SECONDS = 0.2
"""Here: the programs answer at once, or they hang."""


class Probes:
    """``restart`` ends a container whose startup or liveness probe has failed."""

    def __init__(self, world: World, restart: Callable[[Pod, Container], None]) -> None:
        self._world = world
        self._restart = restart

    def watch(self, pod: Pod, container: Container) -> None:
        """From the start of the container to its end. Without a readiness probe it is Ready when it has started."""
        if STARTUP in container.body:
            container.is_ready = False
            self._repeat(pod, container, STARTUP)
        else:
            self._has_started(pod, container)

    def _has_started(self, pod: Pod, container: Container) -> None:
        container.is_ready = READINESS not in container.body
        for kind in (READINESS, LIVENESS):
            if kind in container.body:
                self._repeat(pod, container, kind)

    def _repeat(self, pod: Pod, container: Container, kind: str) -> None:
        probe: Mapping[str, Any] = container.body[kind]
        process, failures = container.process, 0
        period = int(probe.get("periodSeconds") or PROBE_PERIOD_SECONDS)

        def look() -> None:
            nonlocal failures
            if container.process is not process or pod.is_terminal or not pod.has_kubelet:
                return
            self._world.clock.pass_slowly(slowly=True)  # a program that hangs is waited for
            succeeded = _succeeds(probe, pod, container)
            failures = 0 if succeeded else failures + 1
            if succeeded and kind == STARTUP:
                self._world.timeline.record(Source.KUBELET, pod.name, "ContainerStarted", container.name)
                self._has_started(pod, container)
                return
            if self._judge(pod, container, kind, failures):
                self._world.agenda.after(period, look)

        self._world.agenda.after(int(probe.get("initialDelaySeconds") or 0) or period, look)

    def _judge(self, pod: Pod, container: Container, kind: str, failures: int) -> bool:
        """Whether the container is probed again."""
        limit = int(container.body[kind].get("failureThreshold") or PROBE_FAILURE_THRESHOLD)
        if kind == READINESS:
            ready = failures == 0 or (container.is_ready and failures < limit)
            if ready != container.is_ready:
                self._world.timeline.record(Source.KUBELET, pod.name, "Ready" if ready else "NotReady", container.name)
            container.is_ready = ready
            return True
        if failures < limit or pod.deletes_at is not None:
            return True
        message = f"{container.name}: {kind} failed {failures} times; it is restarted"
        self._world.timeline.record(Source.KUBELET, pod.name, "Unhealthy", message)
        self._restart(pod, container)
        return False


def _succeeds(probe: Mapping[str, Any], pod: Pod, container: Container) -> bool:
    """Whether the program answers. Kinds that are not modelled always succeed."""
    seconds = max(SHORTEST_WAIT_SECONDS, int(probe.get("timeoutSeconds") or 1) / SLOW)
    http, tcp = probe.get("httpGet"), probe.get("tcpSocket")
    if http is not None:
        status = _status((pod.address, _port(at(http, "port"), container)), at(http, "path") or "/", seconds)
        return status[:1] in (b"2", b"3")
    if tcp is not None:
        return _connects((pod.address, _port(at(tcp, "port"), container)), seconds)
    pages = [urlsplit(url) for url in _fetched(probe)]
    return all(_status((pod.address, page.port or 80), page.path or "/", seconds) for page in pages)


def _fetched(probe: Mapping[str, Any]) -> list[str]:
    """The pages of the own pod that curl fetches; without ``--fail`` it succeeds with every answer."""
    command = [str(word) for word in items(at(probe, "exec", "command"))]
    return [word for word in command if word.startswith(OWN_POD)] if command[:1] == ["curl"] else []


def _connects(place: tuple[str, int], seconds: float) -> bool:
    try:
        socket.create_connection(place, timeout=seconds).close()
    except OSError:
        return False
    return True


def _status(place: tuple[str, int], path: str, seconds: float) -> bytes:
    """Returns the status of the response; empty without one."""
    try:
        with socket.create_connection(place, timeout=seconds) as line:
            line.sendall(f"GET {path} HTTP/1.0\r\nHost: probe\r\n\r\n".encode())
            answer = line.recv(64).split()
    except OSError:
        return b""
    return answer[1] if len(answer) > 1 else b""


def _port(value: Any, container: Container) -> int:
    """The number, or that of the container's port with this name."""
    named = (each for each in items(container.body.get("ports")) if at(each, "name") == value)
    return int(next((at(each, "containerPort") for each in named), value))


def unmodelled(spec: Mapping[str, Any]) -> Iterator[str]:
    """Probes and hooks that have no effect here."""
    for container in items(at(spec, "containers")):
        for kind in (STARTUP, LIVENESS, READINESS):
            for handler in ("exec", "grpc"):
                if at(container, kind, handler) is not None and not _fetched(at(container, kind)):
                    yield f"{kind} of {at(container, 'name')} ({handler})"
        for hook in ("postStart", "preStop"):
            for handler in ("exec", "httpGet"):
                if at(container, "lifecycle", hook, handler) is not None:
                    yield f"{hook} of {at(container, 'name')} ({handler})"
