"""Jobs that a request to an AWS service starts: started, described, read and stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from neuron_cluster.aws.api_call import answer_of, value_in
from neuron_cluster.aws.cloudformation import stack_outputs
from neuron_cluster.aws.s3 import put_if_absent
from neuron_cluster.aws.session import Target
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.text import listed, printable
from neuron_cluster.plan.environment_tag import ENVIRONMENT_TAG
from neuron_cluster.protocol.running_work import RunningList, Shown, StopPlan
from neuron_cluster.protocol.submission import ApiCall, ApiJob, Call, JobListing
from neuron_cluster.table import Table


def start_job(submission: ApiCall, target: Target) -> str:
    """The id of the job. Raises ``ToolkitError``."""
    call = submission.call
    texts = _outputs(submission, target) if submission.outputs else {}
    parameters = _with_texts(call.parameters, texts)
    for address, content in submission.uploads.items():
        put_if_absent(target, _with_texts(address, texts), content)
    return str(value_in(answer_of(target, call.service, call.operation, parameters), submission.id))


def _outputs(submission: ApiCall, target: Target) -> Mapping[str, str]:
    """The values of the outputs, by the text that each takes the place of. Raises ``ToolkitError``."""
    name = submission.outputs_of
    found = stack_outputs(target, name)
    if found is None:
        raise ToolkitError(f"there is no stack {name}", hint="deploy the environment first")
    missing = [output for output in submission.outputs if output not in found]
    if missing:
        hint = "deploy the environment: its stack is older than the file"
        raise ToolkitError(f"the stack {name} has no output {listed(missing)}", hint=hint)
    return {f"${{{output}}}": found[output] for output in submission.outputs}


def _with_texts(value: Any, texts: Mapping[str, str]) -> Any:
    """The value with each text in the place of its key."""
    if isinstance(value, Mapping):
        return {key: _with_texts(each, texts) for key, each in value.items()}
    if isinstance(value, list):
        return [_with_texts(each, texts) for each in value]
    if isinstance(value, str):
        for key, text in texts.items():
            value = value.replace(key, text)
    return value


def running_jobs(listing: JobListing, environment: str, target: Target) -> RunningList:
    """Jobs of an environment that have not ended. Raises ``ToolkitError``."""
    found = []
    for row in _listed_rows(listing, target):
        taken = {name: value_in({"job": row}, expression) for name, expression in listing.tags.taken.items()}
        answer = answer_of(target, listing.tags.service, listing.tags.operation, taken)
        tags = {tag["Key"]: tag["Value"] for tag in answer.get("Tags", [])}
        if tags.get(ENVIRONMENT_TAG) == environment:
            known = {"job": row, "tags": tags}
            found.append({key: _plain(value_in(known, each)) for key, each in listing.columns.items()})
    columns = tuple(key.replace("_", " ") for key in listing.columns)
    cells = tuple(tuple("-" if value is None else str(value) for value in row.values()) for row in found)
    return RunningList({"environment": environment, "jobs": found}, Table("Running jobs", columns, cells))


def _listed_rows(listing: JobListing, target: Target) -> Iterator[Mapping[str, Any]]:
    token: str | None = None
    while True:
        page = {listing.next_page: token} if token else {}
        call = listing.call
        answer = answer_of(target, call.service, call.operation, {**call.parameters, **page})
        yield from value_in(answer, listing.rows) or ()
        token = answer.get(listing.next_page)
        if not token:
            return


def _plain(value: Any) -> Any:
    return value.isoformat(timespec="seconds") if isinstance(value, datetime) else value


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
        described = self._described()
        details = {key: value_in(described, expression) for key, expression in self.job.details.items()}
        return self._shown(self._state(described), details)

    def log_document(self) -> Shown:
        """Exit status 1 where there is no line."""
        lines = list(self._lines())
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

    def _shown(self, state: str, details: Mapping[str, Any]) -> Shown:
        lines = [f"{self.id} of {self.environment}: {state}"]
        lines += [
            f"  {key.replace('_', ' ')}: {printable(str(value))}" for key, value in details.items() if value is not None
        ]
        text = "\n".join(lines) + "\n"
        return Shown({**self.identity, "state": state, **details}, lambda _width: text)

    def _lines(self) -> Iterator[str]:
        logs = self._filled(self.job.logs, self._described())
        token: str | None = None
        while True:
            page: dict[str, Any] = {self.job.next_page: token} if token else {}
            answer = self._answer(replace(logs, parameters={**logs.parameters, **page}))
            for line in value_in(answer, self.job.lines) or ():
                yield str(line).rstrip("\n")
            token = answer.get(self.job.next_page) if self.job.next_page else None
            if not token:
                return

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
