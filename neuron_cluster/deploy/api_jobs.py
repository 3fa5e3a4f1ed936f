"""Jobs that a request to an AWS service starts: started, described, read and stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from neuron_cluster.aws.api_call import answer_of, value_in
from neuron_cluster.aws.cloudformation import stack_outputs
from neuron_cluster.aws.errors import AwsApiError
from neuron_cluster.aws.s3 import put_if_absent
from neuron_cluster.aws.session import Target
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.text import listed, printable
from neuron_cluster.plan.environment_tag import ENVIRONMENT_TAG
from neuron_cluster.protocol.running_work import RunningList, Shown, StopPlan
from neuron_cluster.protocol.submission import ApiCall, ApiJob, Call, JobListing, with_texts
from neuron_cluster.table import Table

NO_LOGS = "ResourceNotFoundException"
"""CloudWatch Logs has no log group before the first container has written a line."""


def start_job(submission: ApiCall, target: Target) -> str:
    """The id of the job. Raises ``ToolkitError``."""
    call = submission.call
    _require_alone(submission, target)
    texts = _outputs(submission, target) if submission.outputs else {}
    parameters = with_texts(call.parameters, texts)
    for address, content in submission.uploads.items():
        put_if_absent(target, with_texts(address, texts), content)
    return str(value_in(answer_of(target, call.service, call.operation, parameters), submission.id))


def _require_alone(submission: ApiCall, target: Target) -> None:
    """Raises ``ToolkitError`` where a job of the same place has not ended."""
    listing, wanted = submission.job.listing, submission.alone_with
    if listing is None or not wanted:
        return
    for row, tags in _jobs_with_tags(listing, target):
        if all(tags.get(key) == value for key, value in wanted.items()):
            raise ToolkitError(
                f"{value_in(row, listing.id)} has not ended, and a second job would write to the same checkpoints",
                hint="stop it, or give the environment file another job for variants",
            )


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


def running_jobs(listing: JobListing, environment: str, target: Target) -> RunningList:
    """Jobs of an environment that have not ended. Raises ``ToolkitError``."""
    found = [
        {key: _plain(value_in({"job": row, "tags": tags}, each)) for key, each in listing.columns.items()}
        for row, tags in _jobs_with_tags(listing, target)
        if tags.get(ENVIRONMENT_TAG) == environment
    ]
    columns = tuple(key.replace("_", " ") for key in listing.columns)
    cells = tuple(tuple("-" if value is None else str(value) for value in row.values()) for row in found)
    return RunningList({"environment": environment, "jobs": found}, Table("Running jobs", columns, cells))


def _jobs_with_tags(listing: JobListing, target: Target) -> Iterator[tuple[Mapping[str, Any], Mapping[str, str]]]:
    return ((row, _tags(listing, row, target)) for call in listing.calls for row in _rows(listing, call, target))


def _tags(listing: JobListing, job: Mapping[str, Any], target: Target) -> Mapping[str, str]:
    taken = {name: value_in({"job": job}, expression) for name, expression in listing.tags.taken.items()}
    answer = answer_of(target, listing.tags.service, listing.tags.operation, taken)
    return {tag["Key"]: tag["Value"] for tag in answer.get("Tags", [])}


def _rows(listing: JobListing, call: Call, target: Target) -> Iterator[Mapping[str, Any]]:
    token: str | None = None
    while True:
        page = {listing.next_page: token} if token else {}
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
            try:
                answer = self._answer(replace(logs, parameters={**logs.parameters, **page}))
            except AwsApiError as error:
                if error.code == NO_LOGS:
                    return
                raise
            for line in value_in(answer, self.job.lines) or ():
                yield str(line).rstrip("\n")
            token = answer.get(self.job.next_page) if self.job.next_page else None
            if not token:
                return

    def _described(self) -> Mapping[str, Any]:
        """Raises ``ToolkitError`` for a job of another environment, where jobs have tags."""
        described = self._answer(self._filled(self.job.describe, {}))
        listing = self.job.listing
        if listing is not None and _tags(listing, described, self.target).get(ENVIRONMENT_TAG) != self.environment:
            hint = f"`neuron-cluster workload list {self.environment} --running` lists its jobs"
            raise ToolkitError(f"{self.id} is a job, and none of {self.environment}", hint=hint)
        return described

    def _state(self, described: Mapping[str, Any]) -> str:
        return str(value_in(described, self.job.state))

    def _filled(self, call: Call, described: Mapping[str, Any]) -> Call:
        """The call with its parameters that are ``taken``."""
        known = {"id": self.id, "job": described}
        taken = {name: value_in(known, expression) for name, expression in call.taken.items()}
        return replace(call, parameters={**call.parameters, **taken}, taken={})

    def _answer(self, call: Call) -> Mapping[str, Any]:
        return answer_of(self.target, call.service, call.operation, call.parameters)
