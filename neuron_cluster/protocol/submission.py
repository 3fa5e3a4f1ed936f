"""The ways in which a rendered workload is submitted, whichever scheduler has rendered it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from neuron_cluster.kube.helm import Helm, Target

VALUES_FILE = "values.yaml"
"""The file with the values of a chart, in the command of helm."""


class HelmInstall(Struct, frozen=True, kw_only=True):
    """A chart that helm installs with these values."""

    helm: Helm
    values: Mapping[str, Any]
    target: Callable[[], Target]
    """Reads the kubeconfig. Raises ``InvalidEnvironment`` for a context of another cluster."""
    require_permissions: Callable[[Target], None]
    """Asks the cluster. Raises ``InvalidEnvironment`` with the objects that the user may not create."""


class NodeCommand(Struct, frozen=True):
    """A command that a node of the environment runs."""

    scheduler: str
    """Its name, for messages."""
    node: str
    """Name tag of the instances that submit jobs."""
    command: str
    """Run by the shell of root on the node; has the script in it."""
    job_id: str
    """Regular expression over the lines that the command prints; its group is the id of the job."""
    list_jobs: str
    """The command of the node that lists jobs."""


class SessionCommand(Struct, frozen=True):
    """A command that a node runs which takes commands in sessions only, as those in an account of SageMaker."""

    scheduler: str
    """Its name, for messages."""
    node: str
    """The nodes that submit jobs, for messages."""
    script: str
    """A script of bash that opens the session; the AWS CLI needs its Session Manager plugin."""
    job_id: str
    """Regular expression over the lines that the command prints; its group is the id of the job."""
    list_jobs: str
    """The command of the node that lists jobs."""


class Call(Struct, frozen=True, kw_only=True):
    """A request to an AWS service, named as boto3 names clients and their methods."""

    service: str
    operation: str
    parameters: Mapping[str, Any] = {}
    taken: Mapping[str, str] = {}
    """More parameters, as JMESPath expressions over ``{"id": …, "job": …}``: the id and the answer of ``describe``."""

    def command(self, region: str) -> str:
        """The same request by the AWS CLI, without the parameters that are ``taken``."""
        given = shlex.quote(json.dumps(self.parameters))
        operation = self.operation.replace("_", "-")
        return f"aws {self.service} {operation} --region {region} --cli-input-json {given}"


class JobListing(Struct, frozen=True, kw_only=True):
    """How jobs that have not ended are listed. Those of an environment have its tag."""

    calls: tuple[Call, ...]
    rows: str
    """JMESPath of the jobs in an answer."""
    id: str
    """JMESPath of the id in the row of a job."""
    next_page: str
    """The parameter of the calls with the token of the next page, and the key of its answer."""
    tags: Call
    """The tags of a job, with ``job`` as the row."""
    columns: Mapping[str, str]
    """JMESPath over ``{"job": …, "tags": …}`` by the key of a column; tags by their keys."""


class ApiJob(Struct, frozen=True, kw_only=True):
    """How a submitted job is followed by its id, which the user gives to `workload status`, `logs` and `stop`."""

    describe: Call
    state: str
    """JMESPath of its state in the answer of ``describe``."""
    active_states: tuple[str, ...]
    """States that it can be stopped in."""
    stop: Call
    logs: Call
    lines: str
    """JMESPath of the lines in the answer of ``logs``: a list of texts."""
    next_page: str = ""
    """The parameter of ``logs`` with the token of the next page, and the key of its answer; empty: one page."""
    listing: JobListing | None = None
    """None: jobs are not listed."""
    details: Mapping[str, str] = {}
    """JMESPath of further values of its status in the answer of ``describe``, by the key that has them."""


class ApiCall(Struct, frozen=True, kw_only=True):
    """A request that starts a job."""

    call: Call
    id: str
    """JMESPath of the job's id in the answer."""
    job: ApiJob
    outputs_of: str = ""
    """Name of the stack that has ``outputs``."""
    outputs: tuple[str, ...] = ()
    """Outputs of a stack: the value of each takes the place of ``${NAME}`` in the parameters and in ``uploads``."""
    alone_with: Mapping[str, str] = {}
    """Tags that no job has which has not ended: two of them would write to one place. Empty: any number may run."""
    uploads: Mapping[str, bytes] = {}
    """Objects that the job reads, by their addresses in S3. One that is there already is left as it is."""


Submission = HelmInstall | NodeCommand | SessionCommand | ApiCall


def with_texts(value: Any, texts: Mapping[str, str]) -> Any:
    """The value with each text in the place of its key."""
    if isinstance(value, Mapping):
        return {key: with_texts(each, texts) for key, each in value.items()}
    if isinstance(value, list):
        return [with_texts(each, texts) for each in value]
    if isinstance(value, str):
        for key, text in texts.items():
            value = value.replace(key, text)
    return value
