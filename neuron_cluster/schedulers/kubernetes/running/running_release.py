"""A release in its cluster, as `workload status`, `logs`, `stop` and `why` read and stop it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct, to_builtins

from neuron_cluster.kube.helm import Helm
from neuron_cluster.protocol.running_work import Shown, StopPlan
from neuron_cluster.protocol.scheduler import Environment
from neuron_cluster.report.text_page import text_of
from neuron_cluster.schedulers.kubernetes.running.controller_kind import kind_of
from neuron_cluster.schedulers.kubernetes.running.diagnosis import diagnose
from neuron_cluster.schedulers.kubernetes.running.diagnosis_page import diagnosis_data, diagnosis_page
from neuron_cluster.schedulers.kubernetes.running.log_progress import LogProgress, progress_of
from neuron_cluster.schedulers.kubernetes.running.pod_logs import log_document, stream_logs
from neuron_cluster.schedulers.kubernetes.running.ranked_pods import ranked_pods
from neuron_cluster.schedulers.kubernetes.running.session import Session, open_session
from neuron_cluster.schedulers.kubernetes.running.situation import Situation
from neuron_cluster.schedulers.kubernetes.running.status import VISIBILITY, position_in, status_of, visibility_path
from neuron_cluster.schedulers.kubernetes.running.status_page import status_page
from neuron_cluster.schedulers.kubernetes.running.stop_page import stop_page
from neuron_cluster.schedulers.kubernetes.running.stop_plan import Patch, active_pods, checkpoint_folder, stop_patches
from neuron_cluster.schedulers.kubernetes.running.stopping import stop_release

TAIL_LINES = 400


def open_release(environment: Environment, name: str, values: Mapping[str, Any]) -> RunningRelease:
    """The release of this name, or of the chart of this name, as it is now.

    Raises ``ToolkitError``; ``InvalidEnvironment`` for a context of another cluster.
    """
    session = open_session(environment, values["context"], values["kubeconfig"])
    namespace = session.namespace_or_default(values["namespace"])
    state = session.read(namespace, datetime.now(UTC))
    return RunningRelease(session, session.situation(state, name, values["release"], namespace), values)


class RunningRelease(Struct, frozen=True):
    """``values`` are those of the options of the verb, by destination."""

    session: Session
    situation: Situation
    values: Mapping[str, Any]

    @property
    def heading(self) -> str:
        """``llama (neuron-training) in namespace team-a of train-trn2``."""
        release = self.situation.release
        return f"{release.name} ({release.chart}) in namespace {release.namespace} of {self.session.plan.name}"

    @property
    def identity(self) -> dict[str, str]:
        release = self.situation.release
        return {
            "environment": self.session.plan.name,
            "namespace": release.namespace,
            "release": release.name,
            "chart": release.chart,
        }

    def status(self) -> Shown:
        """With its place in the queue and what the log of its leader names."""
        status = status_of(self.situation, self._position(), self._progress())
        return Shown(
            {**self.identity, **to_builtins(status)}, lambda width: text_of(status_page(status, self.heading), width)
        )

    def log_document(self) -> Shown:
        return log_document(self.session, self.situation.release, self.identity, self.values)

    def stream_logs(self, show: Callable[[str], None]) -> int:
        """Streams the logs by kubectl, which prints them itself."""
        del show
        return stream_logs(self.session, self.situation.release, self.values)

    def why(self) -> Shown:
        """Exit status 1 where there is a cause."""
        diagnosis, now = diagnose(self.situation), self.situation.state.now
        return Shown(
            {**self.identity, **diagnosis_data(diagnosis)},
            lambda width: text_of(diagnosis_page(diagnosis, self.heading, now), width),
            int(bool(diagnosis.causes)),
        )

    def stop_plan(self) -> StopPlan:
        patches = stop_patches(self.situation)
        return StopPlan(
            commands=tuple(patch.command(self.situation.here) for patch in patches),
            nothing=f"{self.heading}: nothing to stop",
            is_needed=bool(patches or self.values["delete"]),
            question=self._question(),
            name=self.situation.release.name,
            stop=lambda progress: self._stop(patches, progress),
        )

    def _position(self) -> int | None:
        """Only of what waits, and where the cluster serves Kueue's visibility API."""
        release = self.situation.release
        if not release.queue or release.pods or VISIBILITY not in self.situation.state.groups:
            return None
        return position_in(self.session.kubectl.raw(visibility_path(release)), release)

    def _progress(self) -> LogProgress | None:
        """Progress that the log of the leader of a job shows; None for a server."""
        release = self.situation.release
        pods = ranked_pods(release)
        if not pods or any(kind_of(body).is_server for body in release.controllers):
            return None
        log = self.session.kubectl.log(pods[0].name, release.namespace, f"--tail={TAIL_LINES}")
        return progress_of(log) if log is not None else None

    def _question(self) -> str:
        release = self.situation.release
        folder = checkpoint_folder(release)
        what = "Stop and uninstall" if self.values["delete"] else "Stop"
        question = f"{what} {self.heading}, {len(active_pods(release))} pods?"
        if release.chart != "neuron-training":
            return question
        if folder is None:
            return f"{question} It has NO checkpoints (checkpoints.claim): what it has trained is lost."
        return f"{question} Its checkpoints are in {folder}; whether it saves one now is the work of its trainer."

    def _stop(self, patches: Sequence[Patch], progress: Callable[[str], None]) -> Shown:
        """Exit status 1 for pods that still run. A release that was uninstalled cannot be started again."""
        release = self.situation.release
        stopped = stop_release(
            self.session.kubectl,
            self.situation,
            patches,
            lambda pods, seconds: progress(f"waiting for {pods} pods, at most {seconds:.0f} s more"),
        )
        is_deleted = self.values["delete"] and not stopped.left
        if is_deleted:
            self._uninstall()
        folder = checkpoint_folder(release)
        undo = [] if is_deleted else [patch.undo_command(self.situation.here) for patch in reversed(patches)]
        return Shown(
            {
                **self.identity,
                "checkpoints": folder,
                "start_again": undo,
                **to_builtins(stopped),
                "deleted": is_deleted,
            },
            lambda width: text_of(stop_page(stopped, self.heading, release.chart, folder, undo), width),
            int(bool(stopped.left)),
        )

    def _uninstall(self) -> None:
        binary, release = self.values["helm"], self.situation.release
        helm = self.session.helm() if binary is None else Helm(binary)
        helm.uninstall(release.name, release.namespace, self.values["context"], self.values["kubeconfig"])
