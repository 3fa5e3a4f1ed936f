"""What the chart wrote down for this Job: files/check_server.py reads it from the mounted plan.json."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingPlan:
    """Times in seconds, lengths in tokens. ``model`` is empty for the only one that the server has."""

    url: str
    model: str
    requests: int
    concurrency: int
    warmup_requests: int
    input_tokens: int
    output_tokens: int
    ignore_eos: bool
    seed: int
    start_timeout_seconds: float
    request_timeout_seconds: float
    limits: Mapping[str, float]
    """By the key in the chart's ``limits``; 0 is none, but for ``errorPercent``."""

    @property
    def host(self) -> str:
        """With the port, if the URL has one."""
        return urlsplit(self.url).netloc

    @property
    def is_tls(self) -> bool:
        return urlsplit(self.url).scheme == "https"

    @property
    def prefix(self) -> str:
        """Path before ``/v1``."""
        return urlsplit(self.url).path.rstrip("/")


def read_plan(path: Path) -> ServingPlan:
    return ServingPlan(**json.loads(path.read_text(encoding="utf-8")))
