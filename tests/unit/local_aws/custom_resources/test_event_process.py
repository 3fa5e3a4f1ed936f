"""The process of an event: what it sees, and that nothing outlives it."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from local_aws.custom_resources import event_process
from local_aws.custom_resources.event import CustomResourceFailed
from local_aws.custom_resources.event_process import EventContext, EventProcesses

pytestmark = pytest.mark.slow

CONTEXT = EventContext("http://127.0.0.1:9", "123456789012", "us-west-2", {"cluster": None, "objects": []}, None)


@pytest.fixture(scope="module")
def folder_of_events(tmp_path_factory):
    return tmp_path_factory.mktemp("shared") / "events"


@pytest.fixture(scope="module")
def processes(folder_of_events):
    """Processes that no test ends: the first event of each starts a server, which takes longer than the event."""
    made = EventProcesses(folder_of_events)
    yield made
    made.close()


@pytest.fixture
def own_processes(tmp_path):
    made = EventProcesses(tmp_path / "events")
    yield made
    made.close()


def code(tmp_path: Path, body: str) -> Path:
    folder = tmp_path / "code"
    folder.mkdir()
    source = "import json, os, subprocess, sys\ndef handler(event, context):\n" + textwrap.indent(body, "    ")
    (folder / "index.py").write_text(source, encoding="utf-8")
    return folder


def test_function_sees_nothing_of_the_users_environment(own_processes, tmp_path, monkeypatch):
    for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN", "HTTPS_PROXY", "KUBECONFIG", "PYTHONPATH", "HELM_DRIVER"):
        monkeypatch.setenv(name, "of the user")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE")
    outcome = own_processes.run(code(tmp_path, "return dict(os.environ)"), {}, CONTEXT)
    seen = outcome.answer
    assert "of the user" not in seen.values()
    assert seen["AWS_ACCESS_KEY_ID"] == "123456789012"
    assert seen["AWS_ENDPOINT_URL"] == "http://127.0.0.1:9"
    assert seen["HOME"].startswith(str(tmp_path))


def test_boto3_of_a_function_is_loaded_at_its_first_use_and_calls_the_local_aws(processes, tmp_path):
    """Loading it takes longer than all else that an event does."""
    body = """
        import boto3
        before = "botocore" in sys.modules
        partition = boto3.Session().get_partition_for_region("us-west-2")
        after = "botocore" in sys.modules
        clients = [boto3.client(service).meta.endpoint_url for service in ("sts", "s3", "eks")]
        return {"before": before, "partition": partition, "after": after, "clients": clients}
    """
    outcome = processes.run(code(tmp_path, textwrap.dedent(body).strip()), {}, CONTEXT)
    clients = outcome.answer.pop("clients")
    assert set(clients) == {"http://127.0.0.1:9"}
    assert outcome.answer == {"before": False, "partition": "aws", "after": True}


def test_boto3_is_loaded_once_for_the_events_that_ask_it_where_public_ecr_is(own_processes, tmp_path):
    folder = code(tmp_path, "import boto3\nreturn ['botocore' in sys.modules, boto3.client('sts').meta.endpoint_url]")
    properties = {"Repository": "oci://public.ecr.aws/neuron/neuron-helm-chart"}
    loaded = [
        own_processes.run(folder, {"RequestType": request, "ResourceProperties": properties}, CONTEXT).answer
        for request in ("Delete", "Create", "Update")
    ]
    assert loaded == [[is_loaded, "http://127.0.0.1:9"] for is_loaded in (False, True, True)]


def test_function_finds_no_program_but_the_recording_ones(processes, tmp_path):
    body = "import shutil\nreturn {p: shutil.which(p) is not None for p in ('aws', 'helm', 'kubectl', 'sh', 'curl')}"
    outcome = processes.run(code(tmp_path, body), {}, CONTEXT)
    assert outcome.answer == {"aws": True, "helm": True, "kubectl": True, "sh": False, "curl": False}


def test_code_cannot_put_programs_of_the_machine_first_when_it_is_imported(processes, folder_of_events, tmp_path):
    folder = code(tmp_path, "return {'path': os.environ['PATH']}")
    with (folder / "index.py").open("a", encoding="utf-8") as source:
        source.write("\nos.environ['PATH'] = '/opt/helm:' + os.environ['PATH']\n")
    outcome = processes.run(folder, {}, CONTEXT)
    assert outcome.answer == {"path": str(folder_of_events / "programs")}


@pytest.mark.parametrize(
    "command",
    [
        ["aws", "sts", "get-caller-identity"],
        ["helm", "rollback", "x"],
        ["kubectl", "get", "pods"],
        ["helm", "pull", "x"],
    ],
)
def test_command_that_is_not_known_fails_by_name(processes, tmp_path, command):
    folder = code(tmp_path, f"subprocess.check_call({command})")
    with pytest.raises(CustomResourceFailed, match=rf"{command[0]}.*the local AWS does not") as failure:
        processes.run(folder, {}, CONTEXT)
    assert command[1] in failure.value.reason


def test_command_that_is_not_known_fails_the_event_even_if_the_function_swallows_it(processes, tmp_path):
    body = "subprocess.call(['helm', 'rollback', 'x'])\nsubprocess.call(['aws', 'eks', 'wait'])\nreturn {}"
    with pytest.raises(CustomResourceFailed, match="does not answer the command: helm rollback"):
        processes.run(code(tmp_path, body), {}, CONTEXT)


def test_function_sees_nothing_of_an_earlier_event(processes, tmp_path):
    body = """
        seen = [os.environ.get("LEFT"), getattr(json, "left", None)]
        os.environ["LEFT"] = json.left = "behind"
        return {"seen": seen}
    """
    folder = code(tmp_path, textwrap.dedent(body).strip())
    for _ in range(2):
        assert processes.run(folder, {}, CONTEXT).answer == {"seen": [None, None]}


def test_command_has_the_streams_and_variables_that_the_function_gives_it(processes, tmp_path):
    """It runs in a fork of the function's process, which has output of its own that is not written yet."""
    body = """
        sys.stderr.write("of the function")
        login = ["aws", "ecr", "get-login-password", "--region", "us-west-2"]
        password = subprocess.Popen(login, stdout=subprocess.PIPE)
        registry = ["helm", "registry", "login", "r", "--username", "AWS", "--password-stdin"]
        elsewhere = {**os.environ, "NEURON_CLUSTER_COMMAND_LOG": os.environ["HOME"] + "/log"}
        logged_in = subprocess.run(registry, stdin=password.stdout, capture_output=True, env=elsewhere, text=True)
        refused = subprocess.run(["helm", "rollback"], capture_output=True, env=elsewhere, text=True)
        return {"statuses": [logged_in.returncode, refused.returncode], "said": logged_in.stderr + refused.stderr}
    """
    outcome = processes.run(code(tmp_path, textwrap.dedent(body).strip()), {}, CONTEXT)
    assert outcome.answer["statuses"] == [0, 2]
    assert outcome.answer["said"] == "the local AWS does not answer the command: helm rollback\n"
    assert [command.program for command in outcome.commands] == ["aws"]  # the others have another log


def test_failed_function_gives_its_last_line(processes, tmp_path):
    with pytest.raises(CustomResourceFailed, match=r"^ValueError: no such thing$"):
        processes.run(code(tmp_path, "raise ValueError('no such thing')"), {}, CONTEXT)


BLOCKING = """\
pipe = os.open(event["pipe"], os.O_WRONLY)
os.set_inheritable(pipe, True)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], close_fds=False)
os.write(pipe, b"started")
child.wait()
"""
"""A function and a child of it that both hold a pipe open: its reader sees the end when both are gone."""


def wait_until_started(pipe: Path) -> int:
    reader = os.open(pipe, os.O_RDONLY)
    assert os.read(reader, 7) == b"started"
    return reader


def have_ended(reader: int) -> bool:
    readable, _, _ = select.select([reader], [], [], 30)
    ended = bool(readable) and os.read(reader, 1) == b""
    os.close(reader)
    return ended


def test_close_ends_a_running_event_with_all_its_processes(own_processes, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    folder = code(tmp_path, BLOCKING)
    with ThreadPoolExecutor() as pool:
        running = pool.submit(own_processes.run, folder, {"pipe": str(pipe)}, CONTEXT)
        reader = wait_until_started(pipe)
        own_processes.close()
        assert have_ended(reader)
        with pytest.raises(CustomResourceFailed, match="shut down while the function ran"):
            running.result(timeout=30)
    assert [path.name for path in (tmp_path / "events").iterdir()] == ["programs"]
    with pytest.raises(CustomResourceFailed, match="shutting down"):
        own_processes.run(folder, {}, CONTEXT)


def test_event_that_exceeds_its_time_is_ended_with_all_its_processes(processes, tmp_path, monkeypatch):
    """A busy machine may end the first ones before the function has started its child."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    folder = code(tmp_path, BLOCKING)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    started = b""
    for seconds in (0.3, 3, 30):
        monkeypatch.setattr(event_process, "TIMEOUT_SECONDS", seconds)
        with pytest.raises(CustomResourceFailed, match="did not finish within"):
            processes.run(folder, {"pipe": str(pipe)}, CONTEXT)
        with contextlib.suppress(BlockingIOError):  # whatever holds the pipe is about to end
            started = os.read(reader, 7)
        if started:
            break
    assert started == b"started"
    assert have_ended(reader)


def test_event_ends_when_its_local_aws_is_killed(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    script = (
        "from pathlib import Path; import sys\n"
        "from local_aws.custom_resources.event_process import EventProcesses, EventContext\n"
        "context = EventContext('', '', '', {}, None)\n"
        "EventProcesses(Path(sys.argv[1])).run(Path(sys.argv[2]), {'pipe': sys.argv[3]}, context)\n"
    )
    folder = code(tmp_path, BLOCKING)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[4])}
    command = [sys.executable, "-c", script, tmp_path / "events", folder, pipe]
    owner = subprocess.Popen(command, env=environment)
    reader = wait_until_started(pipe)
    owner.kill()
    owner.wait()
    assert have_ended(reader)
