"""Submitting a rendered job in a session of Session Manager: the nodes take no Run Command.

Run Command takes ids that begin with i- or mi- (botocore 1.44.5, ssm SendCommandRequest InstanceIds); the target of a
HyperPod node is none of them.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from msgspec import Struct

from neuron_cluster.deploy.child_process import child_process
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.job_submission import LOCAL_HINT, JobRejectedError, NoResultError, NoSubmitNodeError
from neuron_cluster.protocol.submission import SessionCommand

PROGRAMS = ("bash", "aws", "session-manager-plugin")
WAIT_SECONDS = 180.0
DRY_RUN = "`--dry-run` prints the commands"


class SessionJob(Struct, frozen=True):
    output: str
    """The output of the session."""
    job_id: str


def require_session_programs(destination: Destination) -> None:
    """Raises ``NoSubmitNodeError`` without the programs that open a session, and on the local AWS."""
    if destination.is_local:
        raise NoSubmitNodeError("the local AWS opens no session; nothing was submitted", hint=LOCAL_HINT)
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if missing:
        hint = f"install the AWS CLI and its Session Manager plugin; or run the commands elsewhere: {DRY_RUN}"
        raise NoSubmitNodeError(f"{missing[0]} is not on the search path; nothing was submitted", hint=hint)


def submit_in_session(
    command: SessionCommand, destination: Destination, *, wait_seconds: float = WAIT_SECONDS
) -> SessionJob:
    """Raises ``JobRejectedError``, or ``NoResultError`` after the wait."""
    shell = shutil.which("bash") or "bash"
    environment = destination.child_environment()
    with (
        tempfile.TemporaryFile() as log,
        child_process([shell, "-c", command.script], cwd=Path.cwd(), environment=environment, log=log) as process,
    ):
        try:
            status = process.wait(wait_seconds)
        except subprocess.TimeoutExpired as error:
            message = f"the session on {command.node} has not ended: the job may be submitted later"
            hint = f"before you submit again, look for the job with `{command.list_jobs}` on a login node"
            raise NoResultError(message, hint=hint) from error
        log.seek(0)
        output = log.read().decode(errors="replace").replace("\r", "").strip()
    job_id = re.search(command.job_id, output, re.MULTILINE)
    if status != 0 or job_id is None:
        message = f"{command.scheduler} has not accepted the job: {output or 'the session printed nothing'}"
        raise JobRejectedError(message, hint=f"correct what it reports, and submit again; {DRY_RUN}")
    return SessionJob(output, job_id[1])
