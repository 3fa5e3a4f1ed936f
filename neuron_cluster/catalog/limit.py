"""Limits of AWS services: lengths, characters and numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from neuron_cluster.catalog.sourced_row import SourcedRow


class Limit(SourcedRow, frozen=True, kw_only=True):
    """One limit. ``unit`` is the unit of ``minimum`` and ``maximum``; ``characters`` for the length of a text.

    ``pattern`` must match the whole text, ``pattern_in_words`` describes it.
    ``adjustable`` marks a service quota: the number is its default, an account may have another. ``advice`` marks a
    recommendation, which no service enforces.
    """

    unit: str
    minimum: int | None = None
    maximum: int | None = None
    pattern: str | None = None
    pattern_in_words: str | None = None
    adjustable: bool = False
    advice: bool = False
    quota_service: str = ""
    """Service code of Service Quotas; empty where no source has the quota."""
    quota_code: str = ""

    def problem_with(self, text: str) -> str | None:
        """Why the service rejects this text, as a clause: ``is 70 characters long, …``. None if it is valid."""
        if self.maximum is not None and len(text) > self.maximum:
            return f"is {len(text)} characters long, at most {self.maximum} are allowed"
        if self.minimum is not None and len(text) < self.minimum:
            return f"is {_length_of(text)}, at least {self._describe_minimum} needed"
        if self.pattern is not None and not re.fullmatch(self.pattern, text):
            return f"must be {self.pattern_in_words}"
        return None

    def require_minimum(self) -> int:
        """The minimum. Raises ``LookupError`` where no source has one."""
        return self._required(self.minimum, "minimum")

    def require_maximum(self) -> int:
        """The maximum. Raises ``LookupError`` where no source has one."""
        return self._required(self.maximum, "maximum")

    def _required(self, number: int | None, end: str) -> int:
        if number is None:
            raise LookupError(f"the catalog's limit {self.name} has no {end}")
        return number

    @property
    def _describe_minimum(self) -> str:
        return "1 character is" if self.minimum == 1 else f"{self.minimum} are"

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if self.minimum is None and self.maximum is None and self.pattern is None:
            yield "maximum", "a limit must limit something"
        if self.minimum is not None and self.maximum is not None and self.minimum > self.maximum:
            yield "minimum", f"{self.minimum} is more than maximum ({self.maximum})"
        if bool(self.quota_service) != bool(self.quota_code) or (self.quota_code and not self.adjustable):
            yield "quota_code", "an adjustable limit has the service and the code of its quota"
        if (self.pattern is None) != (self.pattern_in_words is None):
            yield "pattern_in_words", "a pattern and its words belong together"


def _length_of(text: str) -> str:
    return "empty" if not text else f"{len(text)} character{'s' if len(text) > 1 else ''} long"
