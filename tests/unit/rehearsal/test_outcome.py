"""Lost steps, and the page of a rehearsal."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from neuron_cluster.rehearsal.outcome import (
    NodeUse,
    Outcome,
    Progress,
    Requests,
    progress_of,
    requests_of,
    restarts_of,
)
from neuron_cluster.rehearsal.timeline import Event, Source
from neuron_cluster.report.rehearsal_page import outcome_page, timeline_table
from neuron_cluster.report.rehearsal_svg import rehearsal_svg
from neuron_cluster.report.text_page import text_of

SVG = "{http://www.w3.org/2000/svg}"


def _program(at: float, reason: str, step: int) -> Event:
    return Event(at, Source.PROGRAM, "train-0-0-00001", reason, f"step {step}")


def _attempts(resumed: int) -> list[Event]:
    """Seven steps with a checkpoint after five, and another attempt."""
    first = [
        _program(0, "Resumed", 0),
        *(_program(step, "Step", step) for step in range(1, 6)),
        _program(5, "Saved", 5),
    ]
    return [*first, _program(6, "Step", 6), _program(7, "Step", 7), _program(9, "Resumed", resumed)]


def test_steps_after_the_last_checkpoint_are_computed_again() -> None:
    assert progress_of(_attempts(resumed=5)) == Progress(7, 2, 2, checkpoints=1, lost_checkpoints=0)


def test_a_checkpoint_that_the_next_attempt_does_not_find_is_lost() -> None:
    assert progress_of(_attempts(resumed=0)) == Progress(7, 7, 7, checkpoints=1, lost_checkpoints=1)


def test_restarts_that_count_are_told_from_those_that_do_not() -> None:
    events = [
        Event(1, Source.JOB_SET, "train", "Restart", "counted, 1 of 3: BackoffLimitExceeded"),
        Event(2, Source.JOB_SET, "train", "Restart", "not counted: drained"),
        Event(3, Source.JOB_SET, "train", "Restart", "not counted: drained"),
    ]
    assert restarts_of(events) == (1, 2)


def test_an_outage_is_from_its_first_failed_request_to_the_next_answer() -> None:
    reports = [(5, "RequestsSucceed", ""), (60, "RequestsFail", "why timeout"), (90, "RequestsSucceed", "")]
    reports += [(200, "RequestsFail", "why no endpoint"), (300, "Requests", "sent 30, failed 13")]
    events = [Event(at, Source.PROGRAM, "client", reason, message) for at, reason, message in reports]
    assert requests_of(events, 300) == Requests(sent=30, failed=13, outages=2, longest_outage=100)


def _outcome() -> Outcome:
    events = (
        Event(0, Source.KUBELET, "train-0-0-00001", "Started", "trainer"),
        *_attempts(resumed=5),
        Event(8, Source.FAULT, "trn1-0", "NodeLost", "the instance stops"),
        Event(8, Source.KUBELET, "train-0-0-00001", "Exited", "trainer: exit code 1"),
    )
    return Outcome(
        ended="Failed",
        why="maxRestarts 3 is reached",
        seconds=7200,
        progress=progress_of(events),
        requests=None,
        counted_restarts=3,
        uncounted_restarts=1,
        nodes=(NodeUse("trn1-0", 0, 7200), NodeUse("trn1-1", 0, 3600)),
        usd=64.5,
        events=events,
        not_modelled=("volume home (hostPath)",),
    )


def test_the_page_says_how_it_ended_and_what_it_cost() -> None:
    text = text_of(outcome_page(_outcome(), "neuron-training on trn1 of train-trn1"), 100)
    assert "Failed after 2:00:00: maxRestarts 3 is reached" in text
    assert "2 steps computed again, of 7; no checkpoint of 1" in text
    assert "3 counted, 1 not counted" in text
    assert "2, 3.0 hours in all, $64.50" in text
    assert "volume home (hostPath)" in text


def test_consecutive_steps_are_one_row() -> None:
    rows = [row[3] for row in timeline_table(_outcome().events).rows]
    assert rows[1:5] == ["Resumed step 0", "Steps 1 to 5", "Saved step 5", "Steps 6 to 7"]


def test_the_drawing_has_a_bar_for_each_run_and_a_line_for_each_fault() -> None:
    drawing = ET.fromstring(rehearsal_svg(_outcome(), "<train>"))  # noqa: S314  our own text
    assert drawing.findtext(f"{SVG}title") == "<train>: Failed after 2:00:00"
    bars = [each for each in drawing.iter(f"{SVG}rect") if each.get("class") == "failed"]
    faults = [each for each in drawing.iter(f"{SVG}line") if each.get("class") == "fault"]
    assert (len(bars), len(faults)) == (1, 1)
    assert "exit 1" in [each.text for each in drawing.iter(f"{SVG}text")]
