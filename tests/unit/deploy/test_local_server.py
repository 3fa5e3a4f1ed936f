"""Finding the local AWS of a project."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from neuron_cluster.deploy.local_server import RECORDED, announced, cut_off, recorded, refuse_second, running_endpoint
from neuron_cluster.errors import ToolkitError

ROWS = [{"kind": "chart", "release": "neuron"}]


class RecordHandler(BaseHTTPRequestHandler):
    """Answers as the local AWS does, and nothing else."""

    def do_GET(self) -> None:
        body = json.dumps(ROWS).encode()
        self.send_response(200 if self.path.startswith(f"{RECORDED}?account=") else 404)
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
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_an_announced_server_is_found_and_forgotten_afterwards(tmp_path: Path, endpoint: str) -> None:
    with announced(tmp_path, endpoint):
        assert running_endpoint(tmp_path) == endpoint
        with pytest.raises(ToolkitError, match="runs for this project already"):
            refuse_second(tmp_path)
    assert running_endpoint(tmp_path) is None
    refuse_second(tmp_path)
    assert not (tmp_path / ".local" / "aws.json").exists()


@pytest.mark.parametrize(
    "note",
    ["", "{", "[]", '{"endpoint": "http://127.0.0.1:9"}', '{"endpoint": "http://127.0.0.1:9", "pid": "x"}',
     '{"endpoint": "http://127.0.0.1:9", "pid": PID}',
     '{"endpoint": "https://sts.amazonaws.com", "pid": PID}'],
)  # fmt: skip
def test_a_note_that_cannot_be_trusted_is_no_server(note: str, tmp_path: Path) -> None:
    (tmp_path / ".local").mkdir()
    (tmp_path / ".local" / "aws.json").write_text(note.replace("PID", str(os.getpid())))
    assert running_endpoint(tmp_path) is None


def test_the_note_of_a_process_that_has_ended_is_no_server(tmp_path: Path, endpoint: str) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as child:
        child.wait()
    (tmp_path / ".local").mkdir()
    (tmp_path / ".local" / "aws.json").write_text(json.dumps({"endpoint": endpoint, "pid": child.pid}))
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
    with cut_off():
        assert not [name for name in os.environ if name.startswith("AWS_") or name.lower().endswith("_proxy")]
        assert os.environ["PATH"] == home
    assert users_own.items() <= os.environ.items()


def test_a_server_without_a_record_is_a_sentence() -> None:
    with pytest.raises(ToolkitError, match="does not tell its record"):
        recorded("http://127.0.0.1:9", "210987654321", "eu-north-1")
