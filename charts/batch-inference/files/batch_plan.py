"""What the chart wrote down for this Job: files/run_batch.py reads it from the mounted plan.json."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchPlan:
    """Times in seconds. ``url`` is the prefix in S3, empty for a claim, which is mounted at ``folder``."""

    folder: str
    url: str
    input: str
    output: str
    model: str
    port: int
    pods: int
    lines_per_shard: int
    concurrency: int
    attempts: int
    max_failed_percent: float
    startup_seconds: float
    request_seconds: float
    stop_seconds: float


def read_plan(path: Path) -> BatchPlan:
    return BatchPlan(**json.loads(path.read_text(encoding="utf-8")))
