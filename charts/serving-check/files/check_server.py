"""Sends requests to a served model, measures them and compares the figures with limits.

Exit codes: 0 every limit is kept; 10 one is not; 11 nothing could be measured.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from served_model import NotMeasured, served_model
from serving_figures import Figures, figures
from serving_plan import ServingPlan, read_plan
from serving_report import MESSAGE_BYTES, report_json, report_text, violations
from streamed_request import Answer, ask

BELOW_LIMIT = 10
NOT_RUN = 11
SHORT = "--one-request"
TERMINATION_LOG = Path("/dev/termination-log")


def main() -> int:
    # The first process of a container ignores SIGTERM unless it says what to do.
    signal.signal(signal.SIGTERM, stopped)
    plan = read_plan(Path(sys.argv[1]))
    if SHORT in sys.argv[2:]:
        plan = replace(plan, requests=1, concurrency=1, warmup_requests=0, limits={"errorPercent": 0})
    try:
        return check(plan)
    except NotMeasured as reason:
        print(f"serving-check measured nothing: {reason}", file=sys.stderr, flush=True)
        leave(str(reason))
        return NOT_RUN


def stopped(*_: object) -> None:
    """At once: requests under way are worth nothing, and take longer than the grace period."""
    print("serving-check was stopped: nothing was measured", file=sys.stderr, flush=True)
    leave("the pod was stopped before the check ended")
    os._exit(NOT_RUN)


def check(plan: ServingPlan) -> int:
    """Raises ``NotMeasured``."""
    model = served_model(plan)
    # Requests with numbers below 0: the measured prompts are new to the server.
    warm_up = send(plan, model, range(-plan.warmup_requests, 0))
    if plan.warmup_requests and all(each.error for each in warm_up):
        raise NotMeasured(f"all of {plan.warmup_requests} warm-up requests failed, such as: {warm_up[0].error}")
    measured = measure(plan, model)
    violated = violations(measured, plan.limits)
    text = report_text(plan, model, measured, violated)
    print(text, flush=True)
    print(report_json(plan, model, measured, violated), flush=True)
    leave(text)
    return BELOW_LIMIT if violated else 0


def measure(plan: ServingPlan, model: str) -> Figures:
    begin = time.monotonic()
    answers = send(plan, model, range(plan.requests))
    return figures(answers, time.monotonic() - begin)


def send(plan: ServingPlan, model: str, numbers: Iterable[int]) -> list[Answer]:
    """So many at once all the time: the next request begins when one ends."""
    with ThreadPoolExecutor(plan.concurrency) as senders:
        return list(senders.map(lambda number: ask(plan, model, number), numbers))


def leave(text: str, log: Path = TERMINATION_LOG) -> None:
    """What `kubectl describe pod` shows of an ended container; outside of one there is no such file."""
    if log.exists():
        log.write_bytes(text.encode("utf-8")[:MESSAGE_BYTES])


if __name__ == "__main__":
    sys.exit(main())
