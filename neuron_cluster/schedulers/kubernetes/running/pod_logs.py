"""Logs of the pods of a release, by rank."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neuron_cluster.protocol.running_work import Shown
from neuron_cluster.schedulers.kubernetes.running.ranked_pods import (
    container_count,
    pod_of_rank,
    ranked_pods,
    selector_of,
)
from neuron_cluster.schedulers.kubernetes.running.release import Release
from neuron_cluster.schedulers.kubernetes.running.session import Session

ENDED_BY_SIGNAL = 128


def stream_logs(session: Session, release: Release, values: Mapping[str, Any]) -> int:
    """kubectl prints them; the exit status."""
    status = session.kubectl.stream(*_arguments(release, values))
    if status < 0:
        return ENDED_BY_SIGNAL - status
    return int(status != 0)


def _arguments(release: Release, values: Mapping[str, Any]) -> list[str]:
    if values["all"]:
        pod_of_rank(release, None)
        most = f"--max-log-requests={max(container_count(release), 1)}"
        which = ["--selector", selector_of(release), "--prefix", most, "--ignore-errors"]
    else:
        which = [pod_of_rank(release, values["rank"]).name]
    return ["logs", *which, "--namespace", release.namespace, *_filters(values)]


def _filters(values: Mapping[str, Any]) -> list[str]:
    found = [f"--tail={values['tail'] or -1}"]
    found += [f"--container={values['container']}"] if values["container"] else []
    found += [f"--since={values['since']}"] if values["since"] else []
    return [*found, *(f"--{name}" for name in ("previous", "follow") if values[name])]


def log_document(session: Session, release: Release, identity: Mapping[str, str], values: Mapping[str, Any]) -> Shown:
    """Every pod's log; null, and exit status 1, where there is none."""
    pods = ranked_pods(release) if values["all"] else [pod_of_rank(release, values["rank"])]
    logs = [
        {"pod": pod.name, "rank": pod.rank, "log": session.kubectl.log(pod.name, release.namespace, *_filters(values))}
        for pod in pods
    ]
    return Shown({**identity, "logs": logs}, lambda _width: "", int(all(each["log"] is None for each in logs)))
