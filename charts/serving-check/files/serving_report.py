"""Compares the figures with the chart's limits, and writes them as text and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from serving_figures import Figures
from serving_plan import ServingPlan

TIMES = {
    "firstTokenP50Seconds": ("first_token", 50, "time to first token"),
    "firstTokenP99Seconds": ("first_token", 99, "time to first token"),
    "timePerTokenP50Seconds": ("time_per_output_token", 50, "time per output token"),
    "timePerTokenP99Seconds": ("time_per_output_token", 99, "time per output token"),
}
"""Key in ``limits`` to the figure and its percentile."""
MESSAGE_BYTES = 4096
"""The kubelet keeps so much of a termination message (kubernetes.io: Determine the Reason for Pod Failure)."""


def violations(figures: Figures, limits: Mapping[str, float]) -> list[str]:
    """A sentence for each limit that is not kept."""
    return [*_errors(figures, limits), *_times(figures, limits), *_throughput(figures, limits)]


def _errors(figures: Figures, limits: Mapping[str, float]) -> Iterator[str]:
    allowed = limits.get("errorPercent", 0)
    if figures.error_percent > allowed:
        counted = f"{figures.failed} of {figures.requests} requests"
        yield f"{counted} failed ({figures.error_percent:.1f} %), and limits.errorPercent is {allowed:g}"


def _times(figures: Figures, limits: Mapping[str, float]) -> Iterator[str]:
    for key, (name, percentile, words) in TIMES.items():
        limit, measured = limits.get(key, 0), getattr(figures, name).get(percentile)
        if limit and measured is None:
            yield f"the {words} was not measured: no answer has enough tokens, and limits.{key} is {limit:g}"
        elif limit and measured > limit:
            yield f"the {words} is {measured:.4g} s at p{percentile}, and limits.{key} is {limit:g}"


def _throughput(figures: Figures, limits: Mapping[str, float]) -> Iterator[str]:
    minimum, measured = limits.get("minOutputTokensPerSecond", 0), figures.output_tokens_per_second
    if measured < minimum:
        yield f"{measured:.4g} output tokens per second, and limits.minOutputTokensPerSecond is {minimum:g}"


def report_text(plan: ServingPlan, model: str, figures: Figures, violated: list[str]) -> str:
    load = f"{plan.concurrency} at once, {plan.input_tokens} tokens in and {plan.output_tokens} out"
    lines = [
        f"{model} at {plan.url}: {figures.requests} requests, {load}",
        f"  output tokens per second  {figures.output_tokens_per_second:.4g}",
        f"  time to first token       {_listed(figures.first_token)}",
        f"  time per output token     {_listed(figures.time_per_output_token)}",
        f"  failed requests           {figures.failed}",
        *(f"    {count} x {kind}" for kind, count in sorted(figures.errors.items())),
        *(f"FAILED: {each}" for each in violated),
    ]
    return "\n".join([*lines, "passed" if not violated else "failed"])


def _listed(times: Mapping[int, float]) -> str:
    return ", ".join(f"p{each} {value:.4g} s" for each, value in times.items()) or "not measured"


def report_json(plan: ServingPlan, model: str, figures: Figures, violated: list[str]) -> str:
    """One line, for log pipelines."""
    load = {
        "concurrency": plan.concurrency,
        "input_tokens": plan.input_tokens,
        "output_tokens": plan.output_tokens,
        "warmup_requests": plan.warmup_requests,
    }
    verdict = "failed" if violated else "passed"
    return json.dumps(
        {"verdict": verdict, "url": plan.url, "model": model, "load": load, **figures.as_json(), "violations": violated}
    )
