"""Stops a release: the patches, the wait for its pods, and what the log of its leader reports meanwhile."""

from __future__ import annotations

import contextlib
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from neuron_cluster.kube.kubectl import Kubectl
from neuron_cluster.schedulers.kubernetes.running.cluster_state import ClusterState, name_of
from neuron_cluster.schedulers.kubernetes.running.log_progress import LogProgress, progress_of
from neuron_cluster.schedulers.kubernetes.running.ranked_pods import ranked_pods
from neuron_cluster.schedulers.kubernetes.running.release import Release, releases_in
from neuron_cluster.schedulers.kubernetes.running.situation import Situation
from neuron_cluster.schedulers.kubernetes.running.status import exit_codes_of
from neuron_cluster.schedulers.kubernetes.running.stop_plan import Patch, active_pods, grace_seconds

POLL_SECONDS = 5.0
LOG_ENDS_WITHIN_SECONDS = 10
"""After its pod has ended."""
LINES_BEFORE, LINES_AGAIN = 400, 20
"""Lines of the log read before the stop, where the last checkpoint may be, and lines of them that are followed."""


class Stopped(Struct, frozen=True, kw_only=True):
    """``left`` are pods that still run; ``exit_codes`` those that were seen, by pod."""

    seconds: float
    left: tuple[str, ...]
    exit_codes: dict[str, int]
    progress: LogProgress | None


def stop_release(
    kubectl: Kubectl, situation: Situation, patches: Sequence[Patch], report: Callable[[int, float], None]
) -> Stopped:
    """``report`` is called with the pods that are left and the seconds that remain. Raises ``KubectlError``."""
    release, begun = situation.release, time.monotonic()
    pods = ranked_pods(release) if patches and active_pods(release) else []
    before = kubectl.log(pods[0].name, release.namespace, f"--tail={LINES_BEFORE}") if pods else None
    with tempfile.TemporaryDirectory(prefix="neuron-cluster-") as folder:
        log = Path(folder) / "log"
        with _followed_log(kubectl, release.namespace, pods[0].name, log) if pods else contextlib.nullcontext():
            for patch in patches:
                kubectl.patch(patch.resource, patch.name, release.namespace, patch.body)
            left, codes = _await_end(kubectl, release, report) if pods else ((), {})
        after = log.read_text(encoding="utf-8", errors="replace") if pods else ""
    text = (before or "") + after
    progress = progress_of(text) if text else None
    return Stopped(seconds=time.monotonic() - begun, left=left, exit_codes=codes, progress=progress)


def _await_end(
    kubectl: Kubectl, release: Release, report: Callable[[int, float], None]
) -> tuple[tuple[str, ...], dict[str, int]]:
    """The pods that are left after their grace period, and the exit codes of the others."""
    until = time.monotonic() + grace_seconds(release)
    codes: dict[str, int] = {}
    while True:
        current = _read(kubectl, release)
        codes |= exit_codes_of(current)
        left, remaining = active_pods(current), until - time.monotonic()
        if not left or remaining <= 0:
            return tuple(map(name_of, left)), codes
        report(len(left), remaining)
        time.sleep(POLL_SECONDS)


def _read(kubectl: Kubectl, release: Release) -> Release:
    """The release with the pods that it has now."""
    pods = kubectl.get(["pods"], release.namespace).objects
    [current] = releases_in(ClusterState((*release.controllers, *pods), datetime.now(UTC)), {release.chart})
    return current


@contextlib.contextmanager
def _followed_log(kubectl: Kubectl, namespace: str, pod: str, log: Path) -> Iterator[None]:
    """Writes what the pod prints from now on: it may be deleted, and its log with it, when it ends."""
    arguments = ("logs", pod, "--namespace", namespace, "--follow", f"--tail={LINES_AGAIN}")
    with log.open("wb") as file:
        process = subprocess.Popen(  # noqa: S603 - the project's kubectl
            kubectl.command(*arguments), stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.DEVNULL
        )
    try:
        yield
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(LOG_ENDS_WITHIN_SECONDS)
    finally:
        process.terminate()
        process.wait()
