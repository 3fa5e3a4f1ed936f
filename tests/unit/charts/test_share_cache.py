"""The program of charts/neuron-serving that shares what a server compiled."""

import os
import socket
import stat
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

FILES = Path(__file__).parents[3] / "charts" / "neuron-serving" / "files"
sys.path.insert(0, str(FILES))

import share_cache
from share_cache import answers, keep, mark, share

OLD, NEW = "0" * 32, "f" * 32


def entry(cache: Path, name: str) -> Path:
    folder = cache / name
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "graph.neff").write_text(name)
    return folder


def test_only_what_the_shared_cache_lacks_is_copied_whole_and_without_locks(tmp_path: Path) -> None:
    local, shared = tmp_path / "local", tmp_path / "shared" / "lnc-2"
    (entry(local, NEW) / "entry.lock").touch()
    entry(local, OLD)
    entry(local, "torch_compile_cache")
    (entry(shared, OLD) / "deep" / "graph.neff").write_text("of another server")
    assert share(local, shared) == [NEW]
    assert sorted(path.name for path in shared.iterdir()) == [OLD, NEW]
    assert [path.name for path in (shared / NEW).rglob("*")] == ["deep", "graph.neff"]
    assert (shared / OLD / "deep" / "graph.neff").read_text() == "of another server"


def test_an_entry_is_seen_only_when_it_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another replica finishes the same entry during the copy: its own stays, and nothing else is left."""
    local, shared = tmp_path / "local", tmp_path / "shared"
    entry(local, NEW)
    seen: list[list[str]] = []
    rename = Path.rename

    def slower(path: Path, target: Path) -> Path:
        seen.append([each.name for each in shared.iterdir()])
        entry(shared, NEW)
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", slower)
    share(local, shared)
    assert seen == [[name for name in seen[0] if name.startswith(share_cache.STAGED)]]
    assert [each.name for each in shared.iterdir()] == [NEW]


def test_what_the_server_uses_is_young_and_nothing_else(tmp_path: Path) -> None:
    local, shared = tmp_path / "local", tmp_path / "shared"
    entry(local, NEW)
    for name in (NEW, OLD):
        os.utime(entry(shared, name), (0, 0))
    mark(local, shared)
    assert (shared / NEW).stat()[stat.ST_MTIME] > 0
    assert (shared / OLD).stat()[stat.ST_MTIME] == 0


def test_a_server_without_graphs_yet_shares_none(tmp_path: Path) -> None:
    assert share(tmp_path / "nowhere", tmp_path / "shared") == []


def test_a_volume_that_cannot_be_written_ends_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The container would restart, and the pod would leave the Service."""
    entry(tmp_path / "local", NEW)
    (tmp_path / "file").touch()
    keep(tmp_path / "local", tmp_path / "file" / "cache")
    assert "could not be written" in capsys.readouterr().err


class Health(BaseHTTPRequestHandler):
    """A server that is warm."""

    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/health" else 404)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Nothing."""


def test_it_waits_for_the_server_and_ends_with_the_pod(tmp_path: Path) -> None:
    """Graphs are shared after the warm-up only; a drain ends the program at once and well."""
    entry(tmp_path / "local", NEW)
    with HTTPServer(("127.0.0.1", 0), Health) as server:
        port = int(server.server_address[1])
        threading.Thread(target=server.serve_forever, daemon=True).start()
        command = [sys.executable, str(FILES / "share_cache.py"), f"--local={tmp_path / 'local'}"]
        command += [f"--shared={tmp_path / 'shared'}", f"--port={port}", "--every-hours=1"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
            assert program.stdout is not None
            assert "1 compiled graphs are now in" in program.stdout.readline()
            program.terminate()
            assert program.wait() == 0
        server.shutdown()
    assert (tmp_path / "shared" / NEW / "deep" / "graph.neff").exists()


def test_a_server_that_does_not_listen_yet_is_not_warm() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        assert not answers(int(listener.getsockname()[1]))
