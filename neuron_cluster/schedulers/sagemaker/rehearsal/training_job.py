"""The course of one training job: its statuses, instances and containers, until it has ended.

Sources: DescribeTrainingJob (SecondaryStatus), StopTrainingJob and StoppingCondition of the API reference; pages
model-managed-spot-training.html, model-checkpoints.html, your-algorithms-training-algo-output.html and
your-algorithms-training-algo-dockerfile.html of https://docs.aws.amazon.com/sagemaker/latest/dg/. Assumed, because no
source has it: all times of ``JobSeconds``; that the other hosts get SIGTERM and 120 s when one of them ends with an
error or is lost; that MaxRuntimeInSeconds counts the time in Training of all attempts; that SIGTERM comes before a Spot
interruption (aws/sagemaker-training-toolkit#173), and the last checkpoints are copied after it.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from neuron_cluster.rehearsal.fault import Fault, NothingToHitError
from neuron_cluster.rehearsal.host_run import HostNetwork, HostProcess, HostRun
from neuron_cluster.rehearsal.outcome import NodeUse
from neuron_cluster.rehearsal.planned_faults import Middle
from neuron_cluster.rehearsal.timeline import Source
from neuron_cluster.schedulers.sagemaker.launcher import STOP_SECONDS
from neuron_cluster.schedulers.sagemaker.rehearsal import job_faults
from neuron_cluster.schedulers.sagemaker.rehearsal.contract import host_names
from neuron_cluster.schedulers.sagemaker.rehearsal.host import Host, own_name
from neuron_cluster.schedulers.sagemaker.rehearsal.results import write_archives
from neuron_cluster.schedulers.sagemaker.rehearsal.store import Store

DAY = 24 * 3600
INTERNAL_ERROR = "InternalServerError: We encountered an internal error. Please try again."
COMPLETED, FAILED, STOPPED = "Completed", "Failed", "Stopped"


class JobSeconds(Struct, frozen=True, kw_only=True):
    """How long the service takes, in seconds. All are assumed."""

    start: float = 300
    """From the request, or from the end of the attempt before, to instances with the image."""
    download: float = 30
    sync: float = 30
    """Between two copies of the checkpoints of a host."""
    detect: float = 60
    """Until the service notes that an instance is lost."""
    upload: float = 30
    capacity: float = 600
    """Until there are Spot instances again."""


class Settings(Struct, frozen=True, kw_only=True):
    """``variables`` are those of the rehearsal's own programs; ``devices`` Neuron devices of each host."""

    seconds: JobSeconds = field(default_factory=JobSeconds)
    variables: Mapping[str, str] = {}
    devices: int = 0
    middle_step: int | None = None
    """When a fault happens that has no time of its own; None: 60 s after the containers have started."""


class Transition(Struct, frozen=True):
    """An entry of SecondaryStatusTransitions, in seconds of the rehearsal."""

    status: str
    at: float
    message: str = ""


class End(Struct, frozen=True):
    """Why the containers of an attempt ended, or got SIGTERM. ``again``: the job goes on with other instances."""

    status: str
    secondary: str
    reason: str = ""
    again: bool = False


class TrainingJob:
    """``folder`` gets clock, logs and the disks of the hosts; ``run_of_hosts`` has the events."""

    def __init__(
        self,
        request: Mapping[str, Any],
        store: Store,
        folder: Path,
        *,
        settings: Settings,
        faults: Iterable[Fault],
        progress: Callable[[float, str], None],
    ) -> None:
        self._request, self._store, self._folder, self._settings = request, store, folder, settings
        self._progress = progress
        middle = Middle(step=settings.middle_step)
        self.run_of_hosts = HostRun(folder, faults=faults, middle=middle, cause=self._hit, progress=progress)
        self._clock, self._agenda = self.run_of_hosts.clock, self.run_of_hosts.agenda
        self._timeline = self.run_of_hosts.timeline
        self.transitions: list[Transition] = []
        self.instances: list[NodeUse] = []
        self.attempts = 0
        self._hosts: list[Host] = []
        self._end: End | None = None
        self._trained_seconds = 0.0

    def run(self) -> End:
        """Returns how the job ended."""
        wait_limit = self._limit("MaxWaitTimeInSeconds")
        if self._request.get("EnableManagedSpotTraining") and wait_limit is not None:
            self._agenda.at(wait_limit, lambda: self._finish(End(STOPPED, "MaxWaitTimeExceeded")))
        while True:
            end = self._attempt()
            if not end.again:
                break
            self._end = None
        self.run_of_hosts.faults.miss_the_rest("the job ended before")
        self._enter(end.secondary, end.reason)
        return end

    def _attempt(self) -> End:
        self.attempts += 1
        began = self._clock.now()
        self._enter("Starting" if self.attempts == 1 else "Restarting", "Launching requested ML instances")
        if not self._pass(self._settings.seconds.start):
            return self._ended()
        disks = self._folder / f"attempt-{self.attempts}"
        disks.mkdir()
        names = host_names(self._request)
        network = HostNetwork.of(names, disks, own_name)
        self._hosts = [Host(name, self._request, network, disks / name, self._store) for name in names]
        self._enter("Downloading", "Downloading the training image and the input data")
        for host in self._hosts:
            host.prepare()
        if self._pass(self._settings.seconds.download):
            self._train()
        self._enter("Uploading", "Uploading checkpoints, and the model where the job has not failed")
        for host in self._hosts:
            if not host.is_lost:
                self._copy(host, is_last=True)
        end = self._ended()
        if end.status != FAILED and not end.again:
            output = self._store.path(str(self._request["OutputDataConfig"]["S3OutputPath"]))
            write_archives(self._hosts, output / str(self._request["TrainingJobName"]) / "output")
        if not end.again:
            self._clock.jump_to(self._clock.now() + self._settings.seconds.upload)
        now = round(self._clock.now(), 1)
        self.instances += [NodeUse(f"{host.name}/{self.attempts}", round(began, 1), now) for host in self._hosts]
        if end.again:
            self._enter("Interrupted" if end.secondary == "Interrupted" else "Pending", end.reason)
            self._end = None
            if end.secondary == "Interrupted" and not self._pass(self._settings.seconds.capacity):
                return self._ended()
        return end

    def _train(self) -> None:
        """Runs the containers until all have ended."""
        self._enter("Training", "Training image download completed. Training in progress.")
        began = self._clock.now()
        for number, host in enumerate(self._hosts, 1):
            host.start(self.run_of_hosts, self._settings.variables, self._settings.devices, self._exited)
            self._timeline.record(Source.SAGEMAKER, host.name, "Started")
            self._copy_later(host, self._settings.seconds.sync * number / len(self._hosts))
        left = (self._limit("MaxRuntimeInSeconds") or DAY) - self._trained_seconds
        attempt = self.attempts
        self._agenda.after(left, lambda: self._exceed_runtime(attempt))
        self.run_of_hosts.faults.are_under_way()
        while any(host.runs for host in self._hosts):
            self.run_of_hosts.wait()
        self._trained_seconds += self._clock.now() - began

    def _exited(self, host: Host, exit_code: int) -> None:
        self._timeline.record(Source.SAGEMAKER, host.name, "Exited", f"exit code {exit_code}")
        if exit_code and self._end is None:
            self._finish(End(FAILED, FAILED, f"AlgorithmError: {host.failure}, exit code: {exit_code}"))

    def _exceed_runtime(self, attempt: int) -> None:
        if attempt == self.attempts:
            self._finish(End(STOPPED, "MaxRuntimeExceeded"))

    def _finish(self, end: End) -> None:
        """The containers are to end, as by docker stop -t 120. Only the first reason counts."""
        if self._end is not None and not self._end.again:
            return
        if self._end is None:
            for host in self._hosts:
                if host.process is not None:
                    host.process.signal(signal.SIGTERM)
            hosts = list(self._hosts)
            self._agenda.after(STOP_SECONDS, lambda: self._kill(hosts))
        self._end = end
        if end.status == STOPPED and not end.again:
            self._enter("Stopping", "")

    def _kill(self, hosts: Iterable[Host]) -> None:
        for host in hosts:
            if host.process is not None and host.runs:
                if not host.is_lost:
                    message = f"SIGKILL {STOP_SECONDS} s after SIGTERM"
                    self._timeline.record(Source.SAGEMAKER, host.name, "Killed", message)
                host.process.signal(signal.SIGKILL)

    def _ended(self) -> End:
        return self._end or End(COMPLETED, COMPLETED)

    def _pass(self, seconds: float) -> bool:
        """Time in which no program runs. Returns False when the job is to end before."""
        self.run_of_hosts.pass_time(seconds, until=lambda: self._end is not None)
        return self._end is None

    def _copy_later(self, host: Host, seconds: float) -> None:
        def copy() -> None:
            if host.runs and not host.is_lost:
                self._copy(host)
                self._copy_later(host, self._settings.seconds.sync)

        self._agenda.after(seconds, copy)

    def _copy(self, host: Host, *, is_last: bool = False) -> None:
        if host.sync is None:
            return
        copied, deleted = host.sync.upload()
        if copied or deleted:
            when = ", after its end" if is_last else ""
            message = f"{copied} files copied, {deleted} deleted{when}"
            self._timeline.record(Source.SAGEMAKER, host.name, "CheckpointsCopied", message)

    def _limit(self, name: str) -> float | None:
        found = (self._request.get("StoppingCondition") or {}).get(name)
        return None if found is None else float(found)

    def _enter(self, status: str, message: str) -> None:
        self.transitions.append(Transition(status, round(self._clock.now(), 1), message))
        self._timeline.record(Source.SAGEMAKER, str(self._request["TrainingJobName"]), status, message)
        self._progress(self._clock.now(), status)

    def _hit(self, fault: Fault) -> None:
        match fault.name:
            case job_faults.STOPPED:
                self._timeline.record(Source.FAULT, "job", "StopTrainingJob")
                self._finish(End(STOPPED, STOPPED))
            case job_faults.INTERRUPTED:
                if not self._request.get("EnableManagedSpotTraining"):
                    raise NothingToHitError("the job does not use Spot instances (EnableManagedSpotTraining)")
                self._victim(None)
                self._timeline.record(Source.FAULT, "job", "SpotInterruption")
                self._finish(End(STOPPED, "Interrupted", "the Spot instances were interrupted", again=True))
            case job_faults.KILLED:
                host, process = self._victim(fault.pod)
                self._timeline.record(Source.FAULT, host.name, "OOMKilled", "SIGKILL to the container")
                process.signal(signal.SIGKILL)
            case job_faults.HOST_LOST:
                self._lose(*self._victim(fault.pod))
            case other:
                raise NothingToHitError(f"a training job has no fault {other}")

    def _lose(self, host: Host, process: HostProcess) -> None:
        self._timeline.record(Source.FAULT, host.name, "HostLost", "its programs stop, and its disk is gone")
        host.is_lost = True
        process.freeze()
        retries = int((self._request.get("RetryStrategy") or {}).get("MaximumRetryAttempts") or 0)
        end = End(FAILED, FAILED, INTERNAL_ERROR, again=self.attempts <= retries)

        def detect() -> None:
            self._finish(end)
            self._kill([host])

        self._agenda.after(self._settings.seconds.detect, detect)

    def _victim(self, index: int | None) -> tuple[Host, HostProcess]:
        """The last host that runs, or that with this index."""
        if index is not None and index >= len(self._hosts):
            raise NothingToHitError(f"no host with index {index} was running")
        hosts = self._hosts if index is None else [self._hosts[index]]
        running = [(host, host.process) for host in hosts if host.process and host.runs and not host.is_lost]
        if not running:
            raise NothingToHitError("no container was running")
        return running[-1]
