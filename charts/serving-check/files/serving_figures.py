"""What a run of requests amounts to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from streamed_request import Answer

PERCENTILES = (50, 90, 99)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Times in seconds by percentile. Only complete answers count, except in ``errors``."""

    requests: int
    seconds: float
    first_token: Mapping[int, float]
    time_per_output_token: Mapping[int, float]
    """From the first token to the last one, for each token after the first, as `vllm bench serve` has it."""
    output_tokens: int
    prompt_tokens: int
    errors: Mapping[str, int]
    """Number of failed requests by kind."""

    @property
    def failed(self) -> int:
        return sum(self.errors.values())

    @property
    def error_percent(self) -> float:
        return 100 * self.failed / self.requests

    @property
    def output_tokens_per_second(self) -> float:
        return self.output_tokens / self.seconds if self.seconds else 0.0

    def as_json(self) -> dict[str, Any]:
        """Rounded to what a clock can show."""
        return {
            "requests": self.requests,
            "failed": self.failed,
            "seconds": round(self.seconds, 3),
            "output_tokens": self.output_tokens,
            "prompt_tokens": self.prompt_tokens,
            "output_tokens_per_second": round(self.output_tokens_per_second, 2),
            "requests_per_second": round((self.requests - self.failed) / self.seconds, 3) if self.seconds else 0.0,
            "first_token_seconds": {f"p{each}": round(value, 4) for each, value in self.first_token.items()},
            "time_per_output_token_seconds": {
                f"p{each}": round(value, 5) for each, value in self.time_per_output_token.items()
            },
            "errors": dict(self.errors),
        }


def figures(answers: Sequence[Answer], seconds: float) -> Figures:
    complete = [each for each in answers if not each.error]
    steps = [(each.seconds - each.first_token_seconds) / (each.tokens - 1) for each in complete if each.tokens > 1]
    return Figures(
        requests=len(answers),
        seconds=seconds,
        first_token=_percentiles([each.first_token_seconds for each in complete]),
        time_per_output_token=_percentiles(steps),
        output_tokens=sum(each.tokens for each in complete),
        prompt_tokens=sum(each.prompt_tokens for each in complete),
        errors=Counter(each.error for each in answers if each.error),
    )


def _percentiles(values: Sequence[float]) -> Mapping[int, float]:
    """By nearest rank: each is a time that a request took. Empty without values."""
    ordered = sorted(values)
    return {each: ordered[ceil(each / 100 * len(ordered)) - 1] for each in PERCENTILES} if ordered else {}
