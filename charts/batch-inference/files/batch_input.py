"""The input: lines of OpenAI's batch format, in shards of so many lines."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any


class InvalidBatch(Exception):
    """Why no attempt can succeed, and what to do."""


class InvalidLine(Exception):
    """Why a line is no request."""


@dataclass(frozen=True, slots=True)
class Line:
    """Of the input, counted from 0."""

    number: int
    text: str

    @property
    def id(self) -> str:
        """Of its result: it finds the line again, which ``custom_id`` does only where the user made it unique."""
        return f"batch-{self.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What the output is of: another input or another size of shards would mix two outputs."""

    sha256: str
    lines: int
    lines_per_shard: int

    @property
    def shards(self) -> int:
        return -(-self.lines // self.lines_per_shard)

    def as_json(self) -> str:
        document = {"sha256": self.sha256, "lines": self.lines, "lines_per_shard": self.lines_per_shard}
        return json.dumps({**document, "shards": self.shards}, indent=2) + "\n"


def manifest_of(path: Path, lines_per_shard: int) -> Manifest:
    digest, lines = hashlib.sha256(), 0
    with path.open("rb") as source:
        for line in source:
            digest.update(line)
            lines += 1
    return Manifest(sha256=digest.hexdigest(), lines=lines, lines_per_shard=lines_per_shard)


def require_same(kept: str, own: Manifest, where: str) -> None:
    """Raises ``InvalidBatch`` where the output belongs to another manifest."""
    try:
        known = json.loads(kept)
    except json.JSONDecodeError:
        known = None
    document = json.loads(own.as_json())
    different = [key for key in document if not isinstance(known, dict) or known.get(key) != document[key]]
    if different:
        listed = ", ".join(different)
        message = f"{where} is the output of another run ({listed} differ): set data.output to another folder"
        raise InvalidBatch(message)


def read_shard(path: Path, number: int, size: int) -> Iterator[Line]:
    """The lines of a shard that are not empty."""
    with path.open(encoding="utf-8", errors="replace") as source:
        for position, text in enumerate(islice(source, number * size, (number + 1) * size)):
            if text.strip():
                yield Line(number * size + position, text)


def request_of(line: Line, model: str) -> tuple[str, str, Mapping[str, Any]]:
    """``custom_id``, path and body. A body without a model gets the one that is served."""
    try:
        read = json.loads(line.text)
    except json.JSONDecodeError as failure:
        raise InvalidLine(f"not JSON: {failure.msg}") from failure
    if not isinstance(read, dict) or not isinstance(read.get("custom_id"), str):
        raise InvalidLine("no custom_id, which is a text")
    path, body = read.get("url"), read.get("body")
    if read.get("method", "POST") != "POST" or not isinstance(path, str) or not path.startswith("/v1/"):
        raise InvalidLine("method is POST, and url a path such as /v1/chat/completions")
    if not isinstance(body, dict):
        raise InvalidLine("body is an object")
    if body.get("stream"):
        raise InvalidLine("body.stream is true: an answer is written as a whole")
    return read["custom_id"], path, {"model": model, **body}
