"""The course of one job of Slurm: its attempts, nodes and steps, until it has ended.

Sources: man pages of Slurm 25.11 (https://slurm.schedmd.com/): sbatch (``--signal``, ``--requeue``), scancel, scontrol
(requeue Incomplete), srun (its exit status), slurm.conf (KillWait, SlurmdTimeout, cred_expire of AuthInfo). With
proctrack/cgroup any signal but SIGKILL reaches the job script and the tasks, and no process that they started
(SchedMD/slurm: src/plugins/proctrack/cgroup/proctrack_cgroup.c, proctrack_p_signal). Assumed: how long it takes until
another instance is in the place of a lost one.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path

from msgspec import Struct

from neuron_cluster.rehearsal.cluster.world import Seconds
from neuron_cluster.rehearsal.fault import Fault, NothingToHitError
from neuron_cluster.rehearsal.host_run import HostNetwork, HostProcess, HostRun
from neuron_cluster.rehearsal.outcome import NodeUse
from neuron_cluster.rehearsal.planned_faults import Middle
from neuron_cluster.rehearsal.timeline import Source
from neuron_cluster.schedulers.slurm.rehearsal import job_faults
from neuron_cluster.schedulers.slurm.rehearsal.commands import SlurmRequest, requests
from neuron_cluster.schedulers.slurm.rehearsal.job_spec import JobSpec, Notice
from neuron_cluster.schedulers.slurm.rehearsal.nodes import Nodes

JOB_ID = "1"
JOB = f"job {JOB_ID}"
COMPLETED, FAILED, CANCELLED, TIMEOUT, NODE_FAIL = "COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL"
PENDING, RUNNING = "PENDING", "RUNNING"
DOWN_AFTER, KILL_WAIT, REQUEUE_DELAY = "slurmd_timeout", "slurm_kill_wait", "slurm_requeue_delay"
TIMES = (DOWN_AFTER, KILL_WAIT, REQUEUE_DELAY, "slurm_node_replacement", "hyperpod_node_recovery", "node_boot_and_join")
"""Rows of ``controller_timings`` that the course of a job depends on."""


class End(Struct, frozen=True):
    """Why the processes of an attempt are to end. ``again``: the job goes back to its queue."""

    state: str
    reason: str = ""
    again: bool = False


class SlurmJob:
    """``folder`` gets clock, logs and what nodes share; ``run_of_hosts`` has the events."""

    def __init__(
        self,
        spec: JobSpec,
        folder: Path,
        *,
        seconds: Seconds,
        longest_seconds: float,
        variables: Mapping[str, str],
        faults: Iterable[Fault],
        middle: Middle,
        progress: Callable[[float, str], None],
    ) -> None:
        self.folder, self._spec, self._seconds, self._progress = folder, spec, seconds, progress
        self.run_of_hosts = HostRun(folder, faults=faults, middle=middle, cause=self._hit, progress=progress)
        self._clock, self._agenda = self.run_of_hosts.clock, self.run_of_hosts.agenda
        self._timeline = self.run_of_hosts.timeline
        self._nodes = Nodes(spec.node, folder, self.run_of_hosts, variables)
        self._names = list(spec.node_names)
        self._launched = len(self._names)
        self._since = dict.fromkeys(self._names, 0.0)
        self._lost: list[str] = []
        self.instances: list[NodeUse] = []
        self.attempts = 0
        self.refused: list[str] = []
        """Calls of commands of Slurm that a rehearsal does not answer."""
        self._network = HostNetwork({}, folder)
        self._script: HostProcess | None = None
        self._tasks: dict[str, HostProcess] = {}
        self._step: SlurmRequest | None = None
        self._end: End | None = None
        self._longest_seconds = longest_seconds
        self._agenda.at(longest_seconds, lambda: self._terminate(End(RUNNING, "it still runs")))

    def run(self) -> End:
        """Returns how the job ended."""
        while (end := self._attempt()).again:
            self._enter(PENDING, end.reason)
            self.run_of_hosts.pass_time(self._seconds[REQUEUE_DELAY], until=lambda: False)
            if self._lost and not self._spec.recovery_times:
                end = End(PENDING, f"nothing takes the place of {', '.join(self._lost)}")
                break
            self._replace_lost()
            if self._clock.now() >= self._longest_seconds:
                end = End(PENDING, "the rehearsal ended before it started again")
                break
        self.run_of_hosts.faults.miss_the_rest("the job ended before")
        self._enter(end.state, end.reason)
        now = round(self._clock.now(), 1)
        self.instances += [NodeUse(name, round(since, 1), now) for name, since in self._since.items()]
        self._nodes.close()
        return end

    def _attempt(self) -> End:
        self.attempts += 1
        self._end, self._step, self._tasks = None, None, {}
        self._network = HostNetwork.of(self._names, self.folder)
        self._enter(RUNNING, ", ".join(self._names))
        self._nodes.discard_requests()
        self._script = self._nodes.start_script(
            self._spec.script, self._names[0], self._network, self._variables(0), self._script_ended
        )
        self._plan_limit(self.attempts)
        self.run_of_hosts.faults.are_under_way()
        while self._runs and self.run_of_hosts.wait():
            for request in requests(self._nodes.requests):
                self._answer(request)
        return self._end or End(COMPLETED)

    @property
    def _processes(self) -> list[HostProcess]:
        """The job script first."""
        return [process for process in (self._script, *self._tasks.values()) if process is not None]

    @property
    def _runs(self) -> bool:
        return any(process.exit_code is None for process in self._processes)

    def _variables(self, number: int) -> dict[str, str]:
        """Output environment variables of sbatch and srun that the scripts read."""
        spec, devices = self._spec, self._spec.node.devices
        return {
            "SLURM_JOB_ID": JOB_ID,
            "SLURM_JOB_NAME": spec.name,
            "SLURM_JOB_USER": spec.user,
            "SLURM_JOB_PARTITION": spec.queue,
            "SLURM_JOB_NODELIST": ",".join(self._names),
            "SLURM_JOB_NUM_NODES": str(len(self._names)),
            "SLURM_NNODES": str(len(self._names)),
            "SLURM_NODEID": str(number),
            "SLURM_PROCID": str(number),
            "SLURM_LOCALID": "0",
            "SLURM_GPUS_ON_NODE": str(devices),
            "SLURM_JOB_GPUS": ",".join(map(str, range(devices))),
            **({"SLURM_RESTART_COUNT": str(self.attempts - 1)} if self.attempts > 1 else {}),
        }

    def _plan_limit(self, attempt: int) -> None:
        limit, notice = self._spec.limit, self._spec.notice
        if limit is None:
            return
        if notice is not None:
            self._agenda.after(max(0.0, limit - notice.seconds), lambda: self._give_notice(notice, attempt))
        self._agenda.after(limit, lambda: self._exceed(attempt))

    def _give_notice(self, notice: Notice, attempt: int) -> None:
        if attempt == self.attempts and self._runs and self._end is None:
            whom = "the job script" if notice.to_script else "the tasks"
            self._timeline.record(Source.SLURM, JOB, "Signalled", f"SIGTERM to {whom}, before the time limit")
            self._signal(self._processes[:1] if notice.to_script else self._tasks.values())

    def _exceed(self, attempt: int) -> None:
        if attempt == self.attempts and self._runs:
            self._terminate(End(TIMEOUT, "the time limit was reached"))

    def _signal(self, processes: Iterable[HostProcess]) -> None:
        """SIGTERM."""
        for process in processes:
            process.signal(signal.SIGTERM)

    def _terminate(self, end: End) -> None:
        """SIGTERM to the job script and the tasks, SIGKILL to all after KillWait. Only the first reason counts."""
        if self._end is None:
            self._end = end
            self._terminate_processes(self._processes)

    def _terminate_processes(self, processes: Iterable[HostProcess]) -> None:
        running = [process for process in processes if process.exit_code is None]
        self._signal(running)
        self._agenda.after(self._seconds[KILL_WAIT], lambda: self._kill(running))

    def _kill(self, processes: Iterable[HostProcess]) -> None:
        running = [process for process in processes if process.exit_code is None]
        if running:
            self._timeline.record(Source.SLURM, JOB, "Killed", "SIGKILL after KillWait")
        for process in running:
            process.signal(signal.SIGKILL)

    def _script_ended(self, exit_code: int) -> None:
        self._timeline.record(Source.SLURM, JOB, "ScriptEnded", f"exit code {exit_code}")
        if self._end is None:
            self._end = End(FAILED, self._failure(exit_code)) if exit_code else End(COMPLETED)
            self._terminate_processes(self._tasks.values())

    def _failure(self, exit_code: int) -> str:
        """With the last line of the first task that failed, or of the script."""
        failed = [process for process in (*self._tasks.values(), *self._processes[:1]) if process.exit_code]
        last = failed[0].last_line if failed else ""
        return f"the job script ended with {exit_code}" + (f": {last}" if last else "")

    def _answer(self, request: SlurmRequest) -> None:
        match request.command, request.words:
            case "srun", [_, *_] if self._end is not None:
                request.answer(1, "srun: error: the job is about to end")
            case "srun", [_, *_] if self._step is None:
                self._start_step(request)
            case "scancel", [number] if number == JOB_ID and request.options == {"--signal": "TERM"}:
                self._signal(self._tasks.values())
                request.answer(0, "")
            case "scontrol", ["requeue", "Incomplete", number] if number == JOB_ID:
                self._requeue(request)
            case _:
                call = " ".join((request.command, *request.arguments))
                self.refused.append(call)
                request.answer(1, f"a rehearsal has no answer to: {call}")

    def _requeue(self, request: SlurmRequest) -> None:
        if self._end is not None:
            request.answer(1, "Job has already finished")
        elif not self._spec.may_be_requeued:
            request.answer(1, "Requested operation is presently disabled")
        else:
            request.answer(0, "")
            self._timeline.record(Source.SLURM, JOB, "Requeued", "by the job script")
            self._terminate(End(PENDING, "requeued", again=True))

    def _start_step(self, request: SlurmRequest) -> None:
        """One task on each node; srun ends with the highest exit status of them."""
        self._step, self._tasks = request, {}
        self._timeline.record(Source.SLURM, JOB, "StepStarted", f"{len(self._names)} tasks")
        for number, node in enumerate(self._names):
            if node in self._lost:
                continue
            variables = {**request.environment, **self._variables(number)}
            ended = partial(self._task_ended, node)
            self._tasks[node] = self._nodes.start_task(request.words, node, self._network, variables, ended)
            self._timeline.record(Source.SLURM, node, "Started")

    def _task_ended(self, node: str, exit_code: int) -> None:
        self._timeline.record(Source.SLURM, node, "Exited", f"exit code {exit_code}")
        codes = [process.exit_code for process in self._tasks.values()]
        if self._step is not None and None not in codes:
            self._step.answer(max(code for code in codes if code is not None), "")
            self._step = None

    def _enter(self, state: str, reason: str) -> None:
        self._timeline.record(Source.SLURM, JOB, state, reason)
        self._progress(self._clock.now(), state)

    def _hit(self, fault: Fault) -> None:
        if self._script is None or not self._runs or self._end is not None:
            raise NothingToHitError("the job did not run, or was about to end")
        match fault.name:
            case job_faults.SIGNALLED:
                self._timeline.record(Source.FAULT, JOB, "Signalled", "scancel --batch --signal=TERM")
                self._script.signal(signal.SIGTERM)
            case job_faults.CANCELLED:
                self._timeline.record(Source.FAULT, JOB, "Cancelled", "scancel")
                self._terminate(End(CANCELLED, "the job was cancelled"))
            case job_faults.RANK_KILLED:
                node = self._node(fault.pod)
                task = self._tasks.get(node)
                if task is None or task.exit_code is not None:
                    raise NothingToHitError(f"{node} ran no task")
                self._timeline.record(Source.FAULT, node, "OOMKilled", "SIGKILL to the process that started last")
                task.kill_newest()
            case job_faults.NODE_LOST:
                self._lose(self._node(fault.pod))
            case other:
                raise NothingToHitError(f"a job of Slurm has no fault {other}")

    def _node(self, index: int | None) -> str:
        """The node with this index, or the last one."""
        if index is not None and index >= len(self._names):
            raise NothingToHitError(f"the job has no node with index {index}")
        node = self._names[-1 if index is None else index]
        if node in self._lost:
            raise NothingToHitError(f"{node} was lost before")
        return node

    def _lose(self, node: str) -> None:
        self._timeline.record(Source.FAULT, node, "NodeLost", "its programs stop, and their connections stay open")
        now = round(self._clock.now(), 1)
        self.instances.append(NodeUse(node, round(self._since.pop(node), 1), now))
        self._lost.append(node)
        of_node = [self._tasks.get(node), self._script if node == self._names[0] else None]
        frozen = [process for process in of_node if process is not None]
        for process in frozen:
            process.freeze()
        attempt = self.attempts

        def is_down() -> None:
            """The instance has gone; on its other nodes the job is terminated."""
            self._timeline.record(Source.SLURM, node, "DOWN", "not responding")
            for process in frozen:
                process.signal(signal.SIGKILL)
            if attempt == self.attempts and self._runs:
                self._terminate(End(NODE_FAIL, f"{node} is DOWN", again=self._spec.may_be_requeued))

        self._agenda.after(self._seconds[DOWN_AFTER], is_down)

    def _replace_lost(self) -> None:
        """Other instances take the places of lost nodes in the job."""
        if self._lost:
            seconds = sum(self._seconds[name] for name in self._spec.recovery_times)
            self.run_of_hosts.pass_time(seconds, until=lambda: False)
        for node in self._lost:
            self._launched += 1
            following = f"{node.rpartition('-')[0]}-{self._launched}"
            self._timeline.record(Source.NODE, following, "Joined", f"in the place of {node}")
            self._names[self._names.index(node)] = following
            self._since[following] = self._clock.now()
        self._lost = []
