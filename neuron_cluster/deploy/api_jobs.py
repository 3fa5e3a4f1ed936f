"""Jobs that a request to an AWS service starts: started, described, read and stopped."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from neuron_cluster.aws.api_call import answer_of, value_in
from neuron_cluster.aws.session import Target
from neuron_cluster.protocol.running_work import Shown, StopPlan
from neuron_cluster.protocol.submission import ApiCall, ApiJob, Call


def start_job(submission: ApiCall, target: Target) -> str:
    """The id of the job. Raises ``ToolkitError``."""
    call = submission.call
    return str(value_in(answer_of(target, call.service, call.operation, call.parameters), submission.id))


class ApiWork(Struct, frozen=True):
    """A started job of an environment."""

    environment: str
    id: str
    job: ApiJob
    target: Target

    @property
    def identity(self) -> dict[str, str]:
        return {"environment": self.environment, "job_id": self.id}

    def status(self) -> Shown:
        return self._shown(self._state(self._described()))

    def log_document(self) -> Shown:
        """Exit status 1 where there is no line."""
        lines = self._lines()
        return Shown({**self.identity, "logs": lines}, lambda _width: "", int(not lines))

    def stream_logs(self, show: Callable[[str], None]) -> int:
        """Exit status 0: a job may have written nothing yet."""
        for line in self._lines():
            show(line)
        return 0

    def stop_plan(self) -> StopPlan:
        described = self._described()
        state, stop = self._state(described), self._filled(self.job.stop, described)
        is_needed = state in self.job.active_states
        return StopPlan(
            commands=(stop.command(self.target.region),) if is_needed else (),
            nothing=f"{self.id} of {self.environment}: nothing to stop, it is {state}",
            is_needed=is_needed,
            question=f"Stop {self.id} of {self.environment}?",
            name=self.id,
            stop=lambda progress: self._stop(stop, progress),
        )

    def why(self) -> Shown:
        """The state alone: an API has no causes that are true of all services."""
        return self.status()

    def _stop(self, stop: Call, progress: Callable[[str], None]) -> Shown:
        progress(f"stopping {self.id}")
        self._answer(stop)
        return self.status()

    def _shown(self, state: str) -> Shown:
        return Shown({**self.identity, "state": state}, lambda _width: f"{self.id} of {self.environment}: {state}\n")

    def _lines(self) -> list[str]:
        logs = self._filled(self.job.logs, self._described())
        return [str(line).rstrip("\n") for line in value_in(self._answer(logs), self.job.lines) or ()]

    def _described(self) -> Mapping[str, Any]:
        return self._answer(self._filled(self.job.describe, {}))

    def _state(self, described: Mapping[str, Any]) -> str:
        return str(value_in(described, self.job.state))

    def _filled(self, call: Call, described: Mapping[str, Any]) -> Call:
        """The call with its parameters that are ``taken``."""
        known = {"id": self.id, "job": described}
        taken = {name: value_in(known, expression) for name, expression in call.taken.items()}
        return replace(call, parameters={**call.parameters, **taken}, taken={})

    def _answer(self, call: Call) -> Mapping[str, Any]:
        return answer_of(self.target, call.service, call.operation, call.parameters)
