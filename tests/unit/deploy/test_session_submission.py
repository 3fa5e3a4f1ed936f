"""A job submitted in a session of Session Manager, by programs aws and session-manager-plugin that only print."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hint_commands import command_error, commands_in

from neuron_cluster.aws.session import close_clients
from neuron_cluster.deploy.destination import Destination, aws_destination, local_destination
from neuron_cluster.deploy.job_submission import JobRejectedError, NoResultError, NoSubmitNodeError
from neuron_cluster.deploy.session_submission import SessionJob, require_session_programs, submit_in_session
from neuron_cluster.protocol.submission import SessionCommand
from neuron_cluster.schedulers.slurm.jobs.render import JOB_ID

SCRIPT = 'set -euo pipefail\nLOGIN=$(aws find)\naws ssm start-session --target "$LOGIN"'
SUBMISSION = SessionCommand(
    scheduler="Slurm", node="the login nodes of pods", script=SCRIPT, job_id=JOB_ID, list_jobs="/opt/slurm/bin/squeue"
)
OPENED = "Starting session with SessionId: someone-0123456789abcdef0\\r\\n"
ENDED = "\\r\\nExiting session with sessionId: someone-0123456789abcdef0.\\r\\n"


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in front of the search path, with both programs."""
    write(tmp_path, "session-manager-plugin", "#!/bin/sh\n")
    write(tmp_path, "aws", "#!/bin/sh\n")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    return tmp_path


@pytest.fixture
def destination() -> Iterator[Destination]:
    made = local_destination("http://127.0.0.1:9", "111122223333", "us-west-2")
    yield made
    close_clients(made.target)


def write(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text, encoding="utf-8")
    (folder / name).chmod(0o755)


def session(folder: Path, output: str, *, errors: str = "", status: int = 0, find_status: int = 0) -> None:
    """A program aws that finds a node and then prints what a session does."""
    text = f"""#!/bin/bash
echo "$*" >>{folder}/calls
if [[ $1 == find ]]; then echo sagemaker-cluster:abc_login-1-i-0; exit {find_status}; fi
printf '{output}'
printf '{errors}' >&2
exit {status}
"""
    write(folder, "aws", text)


@pytest.mark.parametrize(
    ("printed", "job_id"),
    [
        ("Submitted batch job 42", "42"),
        ("Submitted batch job 43 on cluster pods", "43"),
        ("44", "44"),
        ("45;pods", "45"),
        ("Welcome 5\\r\\nSubmitted batch job 46", "46"),
    ],
)
def test_the_id_of_a_job_is_read_between_the_lines_of_the_session(
    programs: Path, destination: Destination, printed: str, job_id: str
) -> None:
    """Lines of a session end with a carriage return."""
    session(programs, f"{OPENED}{printed}\\r\\n{ENDED}")
    found = submit_in_session(SUBMISSION, destination)
    assert isinstance(found, SessionJob)
    assert found.job_id == job_id
    assert "Starting session" in found.output
    assert (programs / "calls").read_text().splitlines()[1] == (
        "ssm start-session --target sagemaker-cluster:abc_login-1-i-0"
    )


@pytest.mark.hints("E9565")
@pytest.mark.parametrize(
    ("output", "errors", "status", "said"),
    [
        (f"{OPENED}sbatch: error: invalid partition specified: x\\r\\n{ENDED}", "", 0, "invalid partition specified"),
        (
            "",
            "An error occurred (TargetNotConnected): sagemaker-cluster is not connected.\\n",
            255,
            "TargetNotConnected",
        ),
        ("Submitted batch job 7\\r\\n", "", 1, "Submitted batch job 7"),
        ("", "", 0, "the session printed nothing"),
    ],
    ids=["sbatch rejects it", "no session", "a session that fails", "silent"],
)
def test_a_session_without_a_job_is_an_error_with_what_it_printed(
    programs: Path, destination: Destination, output: str, errors: str, status: int, said: str
) -> None:
    session(programs, output, errors=errors, status=status)
    with pytest.raises(JobRejectedError, match="Slurm has not accepted the job: ") as caught:
        submit_in_session(SUBMISSION, destination)
    assert said in str(caught.value)
    assert "`--dry-run` prints the commands" in caught.value.hint


def test_without_a_login_node_no_session_is_opened(programs: Path, destination: Destination) -> None:
    session(programs, "Submitted batch job 1\\n", find_status=255)
    with pytest.raises(JobRejectedError):
        submit_in_session(SUBMISSION, destination)
    assert (programs / "calls").read_text().splitlines() == ["find"]


def test_a_session_that_does_not_end_is_closed_and_may_still_submit_the_job(
    programs: Path, destination: Destination
) -> None:
    write(programs, "aws", f"#!/bin/bash\n[[ $1 == find ]] && exit\necho $$ >{programs}/pid\nexec sleep 60\n")
    with pytest.raises(NoResultError, match="the session on the login nodes of pods has not ended") as caught:
        submit_in_session(SUBMISSION, destination, wait_seconds=1.5)
    assert "`/opt/slurm/bin/squeue`" in caught.value.hint
    status = Path(f"/proc/{(programs / 'pid').read_text().strip()}/status")
    assert not status.exists() or "State:\tZ" in status.read_text(), "no program of the session is left"


def test_the_programs_have_the_credentials_of_the_destination_only(
    programs: Path, destination: Destination, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_PROFILE", "another-account")
    write(
        programs,
        "aws",
        '#!/bin/bash\n[[ $1 == find ]] || echo "profile=${AWS_PROFILE:-}"\necho "Submitted batch job 1"\n',
    )
    assert "another-account" not in submit_in_session(SUBMISSION, destination).output


@pytest.mark.hints("E9564")
@pytest.mark.parametrize("missing", ["aws", "session-manager-plugin"])
def test_a_missing_program_is_named_before_anything_is_sent(
    programs: Path, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (programs / missing).unlink()
    (programs / "bash").symlink_to("/bin/bash")
    monkeypatch.setenv("PATH", str(programs))
    with pytest.raises(
        NoSubmitNodeError, match=f"{missing} is not on the search path; nothing was submitted"
    ) as caught:
        require_session_programs(aws_destination("111122223333", "us-west-2"))
    assert "Session Manager plugin" in caught.value.hint


def test_programs_on_the_search_path_are_enough(programs: Path) -> None:
    require_session_programs(aws_destination("111122223333", "us-west-2"))


@pytest.mark.hints("E9564")
def test_the_local_aws_opens_no_session(programs: Path, destination: Destination) -> None:
    with pytest.raises(NoSubmitNodeError, match="the local AWS opens no session; nothing was submitted") as caught:
        require_session_programs(destination)
    assert [command_error(each) for each in commands_in(caught.value.hint) if each.startswith("neuron-cluster")] == [
        "" for each in commands_in(caught.value.hint) if each.startswith("neuron-cluster")
    ]
