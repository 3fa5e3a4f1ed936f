"""Finding the local AWS of a project."""

from __future__ import annotations

import json
import os
import resource
import shlex
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from local_aws.run_secrets import PROOF_PATH, forget_secret, proof, remember_secret
from neuron_cluster.deploy.disk import DiskError
from neuron_cluster.deploy.local_server import (
    RECORDED,
    announced,
    isolated_environ,
    recorded,
    require_only_server,
    running_endpoint,
)
from neuron_cluster.errors import ToolkitError

SECRET = "only these tests know it"  # noqa: S105 - of no local AWS
ROWS = [{"kind": "chart", "release": "neuron"}]


class RecordHandler(BaseHTTPRequestHandler):
    """Proves that it knows a secret and tells a record, and nothing else."""

    known = SECRET

    def do_GET(self) -> None:
        target = urlsplit(self.path)
        asked = parse_qs(target.query)
        endpoint = f"http://127.0.0.1:{self.server.server_port}"  # type: ignore[attr-defined]  # an HTTPServer has it
        answers = {
            PROOF_PATH: lambda: {"proof": proof(self.known, endpoint, asked["nonce"][0])},
            RECORDED: lambda: ROWS if "account" in asked else None,
        }
        body = json.dumps(answers[target.path]()).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@pytest.fixture
def endpoint() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), RecordHandler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        found = f"http://127.0.0.1:{server.server_port}"
        remember_secret(found, SECRET)
        yield found
        forget_secret(found)
        server.shutdown()
        thread.join()


def test_an_announced_server_is_found_and_forgotten_afterwards(tmp_path: Path, endpoint: str) -> None:
    with announced(tmp_path, endpoint):
        assert running_endpoint(tmp_path) == endpoint
        assert stat.S_IMODE((tmp_path / ".local" / "aws.json").stat().st_mode) == 0o600
        with pytest.raises(ToolkitError, match=f"runs for this project already.*process {os.getpid()}") as refused:
            require_only_server(tmp_path)
        assert f"`kill {os.getpid()}`" in refused.value.hint
    assert running_endpoint(tmp_path) is None
    require_only_server(tmp_path)
    assert not (tmp_path / ".local" / "aws.json").exists()


@pytest.fixture
def write_note(tmp_path: Path) -> Callable[[str], Path]:
    def write(text: str) -> Path:
        (tmp_path / ".local").mkdir()
        path = tmp_path / ".local" / "aws.json"
        path.write_text(text)
        path.chmod(0o600)
        return path

    return write


def note_of(endpoint: str, **other: object) -> str:
    return json.dumps({"endpoint": endpoint, "pid": os.getpid(), "secret": SECRET, **other})


@pytest.mark.parametrize(
    "note",
    ["", "{", "[]", "[" * 60_000, "[" * 200_000, "1" * 5_000, '{"endpoint": "http://127.0.0.1:9"}'],
    ids=["empty", "half", "list", "deep", "deeper", "number", "endpoint"],
)
def test_a_note_that_says_nothing_is_none(note: str, tmp_path: Path, write_note: Callable[[str], Path]) -> None:
    write_note(note)
    assert running_endpoint(tmp_path) is None


@pytest.mark.parametrize(
    ("endpoint", "other"),
    [
        ("http://127.0.0.1:9", {}),
        ("http://127.0.0.1:9", {"pid": "x"}),
        ("http://127.0.0.1:9", {"pid": 10**30}),
        ("https://sts.amazonaws.com", {}),
        ("http://[127.0.0.1", {}),
    ],
)
def test_a_note_that_tells_of_no_server_is_none(
    endpoint: str, other: dict[str, object], tmp_path: Path, write_note: Callable[[str], Path]
) -> None:
    write_note(note_of(endpoint, **other))
    assert running_endpoint(tmp_path) is None


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o602, 0o620])
def test_a_note_that_others_can_read_or_write_is_refused(
    mode: int, tmp_path: Path, endpoint: str, write_note: Callable[[str], Path]
) -> None:
    """One out of a repository has mode 0644."""
    path = write_note(note_of(endpoint))
    path.chmod(mode)
    with pytest.raises(ToolkitError, match="can be read or written by others") as refused:
        running_endpoint(tmp_path)
    (command,) = (word for word in refused.value.hint.split("`") if word.startswith("rm "))
    subprocess.run(shlex.split(command), check=True)
    assert running_endpoint(tmp_path) is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_note_of_another_user_is_refused(tmp_path: Path, endpoint: str, write_note: Callable[[str], Path]) -> None:
    os.chown(write_note(note_of(endpoint)), 65534, 65534)
    with pytest.raises(ToolkitError, match="belongs to another user"):
        running_endpoint(tmp_path)


def test_a_note_that_is_a_link_or_a_pipe_is_refused(tmp_path: Path, endpoint: str) -> None:
    (tmp_path / ".local").mkdir()
    (tmp_path / "other").write_text(note_of(endpoint))
    path = tmp_path / ".local" / "aws.json"
    path.symlink_to(tmp_path / "other")
    with pytest.raises(ToolkitError, match="symbolic link"):
        running_endpoint(tmp_path)
    path.unlink()
    os.mkfifo(path, 0o600)
    with pytest.raises(ToolkitError, match="is not a file"):
        running_endpoint(tmp_path)


def test_a_server_that_does_not_know_the_secret_is_none(
    tmp_path: Path, endpoint: str, write_note: Callable[[str], Path]
) -> None:
    """Whoever listens at the port of a local AWS that has ended gets no template."""
    write_note(note_of(endpoint, secret="of a local AWS that has ended"))  # noqa: S106 - made up
    assert running_endpoint(tmp_path) is None


def test_a_proof_holds_for_one_endpoint() -> None:
    """A server that passes the question on to the local AWS is not taken for it."""
    assert proof(SECRET, "http://127.0.0.1:1", "0" * 64) != proof(SECRET, "http://127.0.0.1:2", "0" * 64)


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / ".local").write_text("a file where the folder should be")
    with pytest.raises(ToolkitError, match="cannot be written"), announced(tmp_path, "http://127.0.0.1:9"):
        pytest.fail("announced")


def test_a_note_that_finds_no_space_is_a_sentence_and_leaves_nothing(tmp_path: Path) -> None:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8, limits[1]))
    try:
        with pytest.raises(DiskError, match="a file could not be written"), announced(tmp_path, "http://127.0.0.1:9"):
            pytest.fail("announced")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert list((tmp_path / ".local").iterdir()) == []
    with announced(tmp_path, "http://127.0.0.1:9"):
        assert [file.name for file in (tmp_path / ".local").iterdir()] == ["aws.json"]


def test_the_note_of_a_process_that_has_ended_is_no_server(
    tmp_path: Path, endpoint: str, write_note: Callable[[str], Path]
) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as child:
        child.wait()
    write_note(note_of(endpoint, pid=child.pid))
    assert running_endpoint(tmp_path) is None


def test_the_record_is_read_past_any_proxy(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://203.0.113.1:3128")
    monkeypatch.delenv("no_proxy", raising=False)
    assert recorded(endpoint, "210987654321", "eu-north-1") == ROWS


def test_a_process_that_is_cut_off_has_no_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    users_own = {"AWS_PROFILE": "prod", "AWS_ENDPOINT_URL_S3": "https://s3.example.com", "https_proxy": "http://p"}
    for name, value in users_own.items():
        monkeypatch.setenv(name, value)
    home = os.environ["PATH"]
    with isolated_environ():
        assert not [name for name in os.environ if name.startswith("AWS_") or name.lower().endswith("_proxy")]
        assert os.environ["PATH"] == home
    assert users_own.items() <= os.environ.items()


def test_a_server_without_a_record_is_a_sentence() -> None:
    with pytest.raises(ToolkitError, match="did not return its record"):
        recorded("http://127.0.0.1:9", "210987654321", "eu-north-1")
