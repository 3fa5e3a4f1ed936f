"""A function that can be invoked, and what came of an invocation."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Function(Struct, frozen=True):
    """A function to run: code, layers and configuration."""

    arn: str
    runtime: str
    handler: str
    code: bytes
    """A zip archive."""
    layers: tuple[bytes, ...]
    """Zip archives in the order in which they are merged."""
    variables: Mapping[str, str]
    """Its own environment variables, and those that bind the SDKs."""
    timeout: int
    memory: int
    log_group: str

    @property
    def name(self) -> str:
        return self.arn.split(":")[6]


class Result(Struct, frozen=True):
    """The result of an invocation."""

    payload: bytes
    """JSON; of a failed invocation an object with ``errorMessage``."""
    failed: bool
    log: str


class CannotRun(Exception):
    """The function cannot run on this machine; the text says why, and what to do."""
