"""The program of charts/batch-inference with a server of its own, stopped, broken and started again."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

FILES = Path(__file__).parents[3] / "charts" / "batch-inference" / "files"
sys.path.insert(0, str(FILES))

import batch_server
import run_batch
from batch_input import InvalidLine, Line, request_of
from batch_patience import patiently

# A server that notes what it is asked. Prompts: `die` ends it, a moment after it has closed its port, `wait` never
# answers, `bad` is a 400, `busy` a 503.
SERVER = """
import http.server, json, os, pathlib, sys, time
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers()
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompt = body["prompt"]
        with open(sys.argv[2], "a") as asked: asked.write(f"{self.path} {body['model']} {prompt}\\n")
        if prompt == "die" and not pathlib.Path(sys.argv[2] + ".died").exists():
            pathlib.Path(sys.argv[2] + ".died").touch(); server.socket.close(); self.connection.close()
            time.sleep(0.2); os._exit(7)
        while prompt == "wait" and not pathlib.Path(sys.argv[2] + ".go").exists(): time.sleep(0.01)
        status = {"bad": 400, "busy": 503}.get(prompt, 200)
        text = json.dumps({"answer": prompt}).encode()
        self.send_response(status); self.send_header("Content-Length", str(len(text))); self.end_headers()
        self.wfile.write(text)
    def log_message(self, *_): pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
server.serve_forever()
"""
# The AWS CLI over folders: s3://x is $BUCKETS/x.
AWS = f"""#!{sys.executable}
import os, pathlib, shutil, sys
def at(name): return pathlib.Path(os.environ["BUCKETS"], name[5:]) if name.startswith("s3://") else pathlib.Path(name)
verb, *names = [word for word in sys.argv[2:] if not word.startswith("--")]
if verb == "ls":
    found = [each.name for each in at(names[0]).iterdir()] if at(names[0]).exists() else []
    print("".join(f"2026-01-01 00:00:00 1 {{each}}\\n" for each in found), end=""); sys.exit(not found)
if verb == "rm": at(names[0]).unlink(); sys.exit()
if not at(names[0]).exists(): sys.exit("fatal error: 404 (HeadObject): Not Found")
at(names[1]).parent.mkdir(parents=True, exist_ok=True)
shutil.copy(at(names[0]), at(names[1]))
"""
PROGRAM = """
import sys, batch_server, batch_store, pathlib
batch_server.POLL_SECONDS = 0.02
batch_store.SCRATCH = pathlib.Path(sys.argv.pop(1))
batch_store.BucketStore.__init__.__defaults__ = (batch_store.SCRATCH,)
import run_batch
sys.exit(run_batch.main())
"""


class Batch:
    """A claim with an input, and runs over it."""

    def __init__(self, folder: Path, prompts: list[str], **plan: Any) -> None:
        self.folder, self.asked = folder, folder / "asked"
        self.output = folder / "data" / "out"
        (folder / "data").mkdir()
        self.write_input(prompts)
        with socket.create_server(("127.0.0.1", 0)) as door:
            self.port = door.getsockname()[1]
        usual = {
            "folder": str(folder / "data"), "url": "", "input": "in.jsonl", "output": "out", "model": "tiny",
            "port": self.port, "pods": 1, "lines_per_shard": 2, "concurrency": 2, "attempts": 2,
            "max_failed_percent": 0, "startup_seconds": 20, "request_seconds": 10, "stop_seconds": 0.05,
        }  # fmt: skip
        self.plan = {**usual, **plan}

    def write_input(self, prompts: list[str]) -> None:
        lines = [json.dumps(request(prompt, number)) for number, prompt in enumerate(prompts)]
        (self.folder / "data" / "in.jsonl").write_text("".join(f"{each}\n" for each in lines))

    def start(self, pod: int = 0) -> subprocess.Popen[str]:
        (self.folder / "plan.json").write_text(json.dumps(self.plan))
        (self.folder / "aws").write_text(AWS)
        (self.folder / "aws").chmod(0o755)
        server = [sys.executable, "-c", SERVER, str(self.port), str(self.asked)]
        command = [sys.executable, "-c", PROGRAM, str(self.folder / "scratch"), str(self.folder / "plan.json"), *server]
        environment = {
            **os.environ,
            "PATH": f"{self.folder}:{os.environ['PATH']}",
            "PYTHONPATH": str(FILES),
            "JOB_COMPLETION_INDEX": str(pod),
            "BUCKETS": str(self.folder / "buckets"),
        }
        return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run(self, pod: int = 0) -> tuple[int, str]:
        started = self.start(pod)
        out, err = started.communicate(timeout=30)
        return started.returncode, out + err

    def prompts(self) -> list[str]:
        return [line.split()[-1] for line in self.asked.read_text().splitlines()] if self.asked.exists() else []

    def results(self, folder: Path | None = None) -> list[Mapping[str, Any]]:
        parts = sorted((folder or self.output).glob("part-*.jsonl"))
        return [json.loads(line) for part in parts for line in part.read_text().splitlines()]


def request(prompt: str, number: int) -> Mapping[str, Any]:
    return {"custom_id": f"c{number}", "method": "POST", "url": "/v1/completions", "body": {"prompt": prompt}}


def test_every_line_has_its_result_in_its_place(tmp_path: Path) -> None:
    batch = Batch(tmp_path, ["a", "b", "c", "d", "e"])
    status, said = batch.run()
    assert status == 0, said
    assert [(each["custom_id"], each["response"]["body"]["answer"]) for each in batch.results()] == [
        ("c0", "a"), ("c1", "b"), ("c2", "c"), ("c3", "d"), ("c4", "e"),
    ]  # fmt: skip
    assert set(batch.asked.read_text().splitlines()) == {f"/v1/completions tiny {each}" for each in "abcde"}
    assert {path.name for path in batch.output.iterdir()} == {
        "manifest.json",
        *(f"part-0000{n}.jsonl" for n in range(3)),
    }


def test_a_run_that_is_complete_starts_no_server(tmp_path: Path) -> None:
    batch = Batch(tmp_path, ["a"])
    batch.run()
    batch.asked.unlink()
    status, said = batch.run()
    assert (status, batch.prompts()) == (0, [])
    assert "of 1 here 0 are missing" in said


def test_pods_share_the_shards(tmp_path: Path) -> None:
    batch = Batch(tmp_path, ["a", "b", "c", "d"], pods=2, lines_per_shard=1)
    assert batch.run(pod=1)[0] == 0
    assert sorted(batch.prompts()) == ["b", "d"]
    assert batch.run(pod=0)[0] == 0
    assert [each["response"]["body"]["answer"] for each in batch.results()] == ["a", "b", "c", "d"]


def test_a_stopped_run_keeps_its_results_and_the_next_one_sends_the_rest_alone(tmp_path: Path) -> None:
    """A preemption: one answer is there, one request never ends."""
    batch = Batch(tmp_path, ["a", "wait"])
    started = batch.start()
    partial = batch.output / "part-00000.jsonl.partial"
    while not (partial.exists() and partial.read_text().endswith("\n")):
        assert started.poll() is None
    started.send_signal(signal.SIGTERM)
    assert started.wait(30) == run_batch.STOPPED
    assert started.stderr is not None
    assert started.stdout is not None
    assert "told to stop; part-00000.jsonl has 1 of 2 results" in started.stderr.read()
    started.stderr.close()
    started.stdout.close()
    Path(f"{batch.asked}.go").touch()
    batch.asked.unlink()
    assert batch.run()[0] == 0
    assert batch.prompts() == ["wait"]
    assert [each["response"]["body"]["answer"] for each in batch.results()] == ["a", "wait"]
    assert not partial.exists()


def test_a_line_that_was_half_written_is_sent_again(tmp_path: Path) -> None:
    """The node went away while it was written."""
    batch = Batch(tmp_path, ["a", "b"])
    batch.output.mkdir()
    kept = {"id": "batch-0", "custom_id": "c0", "response": {"status_code": 200, "body": {"answer": "kept"}}}
    (batch.output / "part-00000.jsonl.partial").write_text(json.dumps(kept) + '\n{"id": "batch-1", "cus')
    assert batch.run()[0] == 0
    assert batch.prompts() == ["b"]
    assert [each["response"]["body"]["answer"] for each in batch.results()] == ["kept", "b"]


def test_a_result_after_half_a_line_is_kept(tmp_path: Path) -> None:
    partial = tmp_path / "part"
    partial.write_text('{"id": "batch-0"}\n{"id": "bat')
    run_batch.append(partial, {"id": "batch-1"})
    run_batch.append(partial, {"id": "batch-2"})
    assert set(run_batch.kept_results(partial)) == {"batch-0", "batch-1", "batch-2"}


def test_a_request_without_an_answer_is_one_of_the_next_attempt(tmp_path: Path) -> None:
    partial = tmp_path / "part"
    for code in ("no_answer", "server_error"):
        run_batch.append(partial, {"id": f"batch-{code}", "error": {"code": code, "message": ""}})
    assert set(run_batch.kept_results(partial)) == {"batch-server_error"}


@pytest.mark.parametrize(("number", "calls"), [(errno.ENOSPC, 3), (errno.ESTALE, 3), (errno.EACCES, 1)])
def test_a_volume_that_is_full_or_stale_is_waited_for(number: int, calls: int) -> None:
    left = [OSError(number, os.strerror(number))] * 2
    made: list[int] = []

    def call() -> str:
        made.append(len(left))
        if left:
            raise left.pop()
        return "written"

    expected = pytest.raises(OSError, match="denied") if calls == 1 else contextlib.nullcontext()
    with expected:
        assert patiently(call, batch_server.Stop(), retry_seconds=0) == "written"
    assert len(made) == calls


def test_a_pod_that_is_told_to_stop_waits_for_no_volume() -> None:
    stop = batch_server.Stop()
    stop.set("told")

    def call() -> None:
        raise OSError(errno.ENOSPC, "full")

    with pytest.raises(OSError, match="full"):
        patiently(call, stop)


def test_a_server_that_ends_fails_the_attempt_and_not_its_requests(tmp_path: Path) -> None:
    batch = Batch(tmp_path, ["a", "die"], concurrency=1)
    status, said = batch.run()
    assert status == run_batch.BROKEN
    assert "the server ended with exit code 7" in said
    assert batch.run()[0] == 0
    assert batch.prompts() == ["a", "die", "die"]
    assert not [each for each in batch.results() if each["error"]]


def test_failures_are_results_and_too_many_fail_the_job(tmp_path: Path) -> None:
    batch = Batch(tmp_path, ["a", "bad", "busy", "b"], max_failed_percent=49)
    status, said = batch.run()
    assert status == run_batch.TOO_MANY_FAILED
    assert "2 of 4 requests failed, and batch.maxFailedPercent is 49" in said
    by_id = {each["custom_id"]: each for each in batch.results()}
    assert (by_id["c1"]["response"]["status_code"], by_id["c1"]["error"]) == (400, None)
    assert (by_id["c2"]["response"], by_id["c2"]["error"]["code"]) == (None, "server_error")
    assert sorted(batch.prompts()) == ["a", "b", "bad", "busy", "busy"], "a 503 is sent again, a 400 is not"


def test_an_output_of_another_input_is_not_touched(tmp_path: Path) -> None:
    batch = Batch(tmp_path, ["a", "b", "c"])
    batch.run()
    batch.write_input(["x", "b", "c"])
    status, said = batch.run()
    assert status == run_batch.INVALID
    assert "is the output of another run (sha256 differ): set data.output to another folder" in said
    batch.write_input(["a", "b", "c"])
    batch.plan["lines_per_shard"] = 3
    assert "lines_per_shard, shards differ" in batch.run()[1]


def test_an_input_that_is_not_there_is_said(tmp_path: Path) -> None:
    status, said = Batch(tmp_path, ["a"], input="other.jsonl").run()
    assert status == run_batch.INVALID
    assert "other.jsonl: set data.input to a path on the claim" in said


def test_a_server_that_does_not_start_is_said(tmp_path: Path) -> None:
    batch = Batch(tmp_path, ["a"])
    with socket.create_server(("127.0.0.1", batch.port)):
        status, said = batch.run()
    assert status == run_batch.BROKEN
    assert "ended with exit code 1 before it answered" in said


def test_a_bucket_has_the_same_output_and_keeps_what_a_stopped_pod_had(tmp_path: Path) -> None:
    batch = Batch(tmp_path, ["a", "wait", "c"], url="s3://runs/one")
    bucket = tmp_path / "buckets" / "runs" / "one"
    bucket.mkdir(parents=True)
    (tmp_path / "data" / "in.jsonl").rename(bucket / "in.jsonl")
    started = batch.start()
    partial = tmp_path / "scratch" / "part-00000.jsonl.partial"
    while not (partial.exists() and partial.read_text().endswith("\n")):
        assert started.poll() is None
    started.send_signal(signal.SIGTERM)
    started.communicate(timeout=30)
    assert started.returncode == run_batch.STOPPED
    partial.unlink()
    (tmp_path / "scratch" / "input.jsonl").unlink()
    Path(f"{batch.asked}.go").touch()
    batch.asked.unlink()
    assert batch.run()[0] == 0
    assert sorted(batch.prompts()) == ["c", "wait"]
    assert [each["response"]["body"]["answer"] for each in batch.results(bucket / "out")] == ["a", "wait", "c"]
    assert {each.name for each in (bucket / "out").iterdir()} == {
        "manifest.json", "part-00000.jsonl", "part-00001.jsonl",
    }  # fmt: skip


def test_a_bucket_without_the_input_is_said(tmp_path: Path) -> None:
    status, said = Batch(tmp_path, ["a"], url="s3://runs/one").run()
    assert status == run_batch.INVALID
    assert "s3://runs/one/in.jsonl could not be copied (fatal error: 404" in said


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "not JSON"),
        ("[]", "custom_id"),
        ('{"custom_id": 1}', "custom_id"),
        ('{"custom_id": "a", "url": "http://other/v1"}', "a path such as"),
        ('{"custom_id": "a", "url": "/v1/completions", "body": []}', "body is an object"),
        ('{"custom_id": "a", "url": "/v1/completions", "body": {"stream": true}}', "body.stream is true"),
    ],
)
def test_a_line_that_is_no_request_says_why(text: str, reason: str) -> None:
    with pytest.raises(InvalidLine, match=reason):
        request_of(Line(0, text), "tiny")


def test_a_model_of_the_line_is_kept() -> None:
    """The server then says that it has no such model."""
    line = Line(3, '{"custom_id": "a", "url": "/v1/completions", "body": {"model": "other"}}')
    assert request_of(line, "tiny") == ("a", "/v1/completions", {"model": "other"})


def test_a_stop_keeps_its_first_reason() -> None:
    stop = batch_server.Stop()
    stop.set("a")
    stop.set("b")
    assert (stop.is_set, stop.reason) == (True, "a")


def test_the_output_is_complete_or_what_is_missing_is_named(tmp_path: Path) -> None:
    batch = Batch(tmp_path, ["a", "b", "c"], pods=2)
    check = [sys.executable, str(FILES / "check_output.py"), str(tmp_path / "plan.json")]

    def checked() -> tuple[int, str]:
        ran = subprocess.run(check, capture_output=True, text=True, check=False)
        return ran.returncode, ran.stdout + ran.stderr

    (tmp_path / "plan.json").write_text(json.dumps(batch.plan))
    batch.output.mkdir()
    assert checked() == (1, f"{batch.output} has no manifest.json: no pod has read the input yet\n")
    batch.run(pod=0)
    assert checked() == (1, "1 of 2 are missing: part-00001.jsonl\n")
    batch.run(pod=1)
    assert checked() == (0, f"all 2 parts are in {batch.output}\n")
