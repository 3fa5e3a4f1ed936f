"""The program of charts/serving-check against a server that answers well, late, badly or not at all."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

FILES = Path(__file__).parents[3] / "charts" / "serving-check" / "files"
sys.path.insert(0, str(FILES))

import check_server
import served_model
import streamed_request
from serving import MODEL, Handler, Stream, broken, complete, cut, served
from serving_figures import figures
from serving_plan import ServingPlan
from serving_report import violations
from streamed_request import Answer


def plan(url: str, **given: Any) -> ServingPlan:
    usual = {
        "url": url,
        "model": "",
        "requests": 4,
        "concurrency": 2,
        "warmup_requests": 1,
        "input_tokens": 8,
        "output_tokens": 5,
        "ignore_eos": True,
        "seed": 1,
        "start_timeout_seconds": 0,
        "request_timeout_seconds": 10,
        "limits": {"errorPercent": 0},
    }
    return ServingPlan(**{**usual, **given})


def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, given: ServingPlan, *arguments: str) -> int:
    """The whole program, with its plan as a file."""
    file = tmp_path / "plan.json"
    file.write_text(json.dumps({name: getattr(given, name) for name in ServingPlan.__slots__}))
    monkeypatch.setattr(sys, "argv", ["check_server.py", str(file), *arguments])
    return check_server.main()


def test_a_good_server_passes_and_its_tokens_are_counted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SERVER_API_KEY", "secret")
    with served() as (url, asked):
        assert run(monkeypatch, tmp_path, plan(url)) == 0
    result = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (result["verdict"], result["model"], result["failed"]) == ("passed", MODEL, 0)
    assert (result["output_tokens"], result["prompt_tokens"]) == (20, 12)
    assert set(asked.keys) == {"Bearer secret"}
    prompts = [tuple(each["prompt"]) for each in asked.bodies]
    assert len(prompts) == len(set(prompts)) == 5, "four measured, one to warm up, and no prompt twice"
    assert all(len(each) == 8 for each in prompts)
    assert all(each["stream_options"] == {"include_usage": True} and each["ignore_eos"] for each in asked.bodies)


def test_the_same_seed_asks_the_same(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked_twice = []
    for _ in range(2):
        with served() as (url, asked):
            run(monkeypatch, tmp_path, plan(url, concurrency=1, ignore_eos=False))
        asked_twice.append([each["prompt"] for each in asked.bodies])
        assert not any("ignore_eos" in each for each in asked.bodies)
    assert asked_twice[0] == asked_twice[1]


@pytest.mark.parametrize(
    ("stream", "status", "text"),
    [
        (complete, 503, "HTTP 503: the engine is dead"),
        (cut, 200, "the stream was cut (no [DONE])"),
        (broken, 200, "error in the stream: EngineDeadError"),
        (lambda handler: handler.event("[DONE]"), 200, "the answer has no token"),
        (lambda handler: handler.event("{"), 200, "not JSON"),
    ],
)
def test_a_failure_is_counted_by_its_kind_and_fails(
    stream: Stream, status: int, text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    with served(stream, status=status) as (url, _):
        assert run(monkeypatch, tmp_path, plan(url, warmup_requests=0)) == check_server.BELOW_LIMIT
    out = capsys.readouterr().out
    assert "4 x " in out
    assert text in out
    assert "4 of 4 requests failed (100.0 %), and limits.errorPercent is 0" in out
    result = json.loads(out.splitlines()[-1])
    assert (result["verdict"], result["failed"], result["output_tokens"]) == ("failed", 4, 0)


def test_a_server_that_stops_in_the_middle_is_a_failure_in_time() -> None:
    """The next chunk never comes: the client gives up, not the server."""
    over = threading.Event()

    def silent(handler: Handler) -> None:
        handler.event({"choices": [{"text": "a"}]})
        over.wait(30)

    with served(silent) as (url, _):
        answer = streamed_request.ask(plan(url, request_timeout_seconds=0.1), MODEL, 0)
        over.set()
    assert answer.error == "no data for 0.1 s"


def test_a_check_that_is_stopped_ends_before_its_requests(tmp_path: Path) -> None:
    asked, over = threading.Event(), threading.Event()

    def silent(_: Handler) -> None:
        asked.set()
        over.wait(60)

    with served(silent) as (url, _):
        given = plan(url, request_timeout_seconds=60, warmup_requests=0)
        file = tmp_path / "plan.json"
        file.write_text(json.dumps({name: getattr(given, name) for name in ServingPlan.__slots__}))
        with subprocess.Popen([sys.executable, FILES / "check_server.py", file]) as process:
            assert asked.wait(60)
            process.terminate()
            assert process.wait(30) == check_server.NOT_RUN
        over.set()


def test_an_answer_that_goes_on_for_ever_ends_too() -> None:
    over = threading.Event()

    def endless(handler: Handler) -> None:
        while not over.wait(0.01):
            handler.event({"choices": [{"text": "a"}]})

    with served(endless) as (url, _):
        answer = streamed_request.ask(plan(url, request_timeout_seconds=0.2), MODEL, 0)
        over.set()
    assert "did not end in time (timeouts.requestSeconds)" in answer.error


@pytest.mark.parametrize(
    ("given", "settings", "text"),
    [
        ({"model": "other"}, {}, f"does not serve other, but {MODEL}: set server.model"),
        ({"input_tokens": 5000}, {}, "5005 tokens together, and tiny allows 4096"),
        ({}, {"wants_key": "k"}, "refuses the key (HTTP 401): set apiKeySecret"),
        ({}, {"status": 500}, "all of 1 warm-up requests failed, such as: HTTP 500: the engine is dead"),
    ],
)
def test_what_cannot_be_measured_is_said_and_is_another_exit_code(
    given: dict[str, Any], settings: dict[str, Any], text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    with served(**settings) as (url, _):
        assert run(monkeypatch, tmp_path, plan(url, **given)) == check_server.NOT_RUN
    assert text in capsys.readouterr().err


def test_a_server_that_is_not_there_is_waited_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with served() as (url, _):
        pass
    monkeypatch.setattr(served_model, "RETRY_SECONDS", 0.01)
    assert run(monkeypatch, tmp_path, plan(url, start_timeout_seconds=0.05)) == check_server.NOT_RUN
    err = capsys.readouterr().err
    assert "did not answer in 0.05 s" in err
    assert "network policy" in err


def test_helm_test_sends_one_request(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with served() as (url, asked):
        slow = plan(url, limits={"errorPercent": 0, "firstTokenP50Seconds": 1e-9})
        assert run(monkeypatch, tmp_path, slow, check_server.SHORT) == 0
    assert len(asked.bodies) == 1


ANSWERS = [Answer(first_token_seconds=0.1 * n, seconds=0.1 * n + 1, tokens=11, prompt_tokens=7) for n in range(1, 10)]


def test_figures_are_percentiles_of_complete_answers() -> None:
    found = figures([*ANSWERS, Answer(error="HTTP 503: x")], 10)
    assert found.first_token == pytest.approx({50: 0.5, 90: 0.9, 99: 0.9})
    assert found.time_per_output_token[50] == pytest.approx(0.1)
    assert found.output_tokens_per_second == pytest.approx(9.9)
    assert (found.error_percent, found.errors) == (10, {"HTTP 503: x": 1})


@pytest.mark.parametrize(
    ("limits", "text"),
    [
        ({"errorPercent": 10}, None),
        ({"errorPercent": 5}, "1 of 10 requests failed (10.0 %)"),
        ({"errorPercent": 10, "firstTokenP50Seconds": 0.6}, None),
        ({"errorPercent": 10, "firstTokenP50Seconds": 0.4}, "time to first token is 0.5 s at p50"),
        ({"errorPercent": 10, "firstTokenP99Seconds": 0.8}, "time to first token is 0.9 s at p99"),
        ({"errorPercent": 10, "timePerTokenP99Seconds": 0.05}, "time per output token is 0.1 s at p99"),
        ({"errorPercent": 10, "minOutputTokensPerSecond": 9}, None),
        ({"errorPercent": 10, "minOutputTokensPerSecond": 20}, "9.9 output tokens per second, and limits.minOutput"),
    ],
)
def test_a_limit_that_is_not_kept_is_a_sentence(limits: dict[str, float], text: str | None) -> None:
    found = violations(figures([*ANSWERS, Answer(error="e")], 10), limits)
    assert (text is None and not found) or (len(found) == 1 and text is not None and text in found[0])


def test_a_time_that_was_not_measured_is_no_pass() -> None:
    """Answers of one token have no time between tokens."""
    (found,) = violations(
        figures([Answer(first_token_seconds=1, seconds=1, tokens=1)], 1), {"timePerTokenP50Seconds": 1}
    )
    assert found.startswith("the time per output token was not measured: no answer has enough tokens")
