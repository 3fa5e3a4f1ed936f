"""Matches of cfn-lint, recorded by template: it takes seconds for one, and few templates change from commit to commit.

``make goldens`` writes the record, ``make test-exhaustive`` lints again what is recorded and compares.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

RECORD = Path(__file__).parent / "fixtures" / "cfn_lint.json"
MODE = os.environ.get("NEURON_CLUSTER_LINT", "")
"""``write``: what is linted becomes the record. ``again``: the record is compared with what cfn-lint finds."""
RESERVATION = re.compile(r"\bcr-[0-9a-f]{17}\b")
ASSET = re.compile(r"\b[0-9a-f]{64}\b")
MESSAGE = 200
"""Characters of a message that are kept: some list every instance type that there is."""


class Match(NamedTuple):
    """A match of cfn-lint at a place of a template."""

    rule: str
    path: Sequence[str | int]
    message: str


Lint = Callable[[Mapping[str, Any], str], Sequence[Match]]


def recorded_lint() -> Iterator[Lint]:
    """``lint(template, region)``: from the record, or from cfn-lint for a template that the record does not have."""
    recorded = {} if MODE == "write" else _recorded()
    written: dict[str, Sequence[Match]] = {}
    linted: list[Lint] = []

    def lint(template: Mapping[str, Any], region: str) -> Sequence[Match]:
        digest = digest_of(template, region)
        if digest in recorded and MODE != "again":
            return recorded[digest]
        if not linted:
            linted.append(_linter())
        found = written[digest] = linted[0](template, region)
        assert found == recorded.get(digest, found), "the record is wrong: make goldens"
        return found

    yield lint
    if MODE == "write":
        rows = [f' "{digest}": {json.dumps(written[digest])}' for digest in sorted(written)]
        RECORD.write_text('{{"version": "{}", "found": {{\n{}\n}}}}\n'.format(version("cfn-lint"), ",\n".join(rows)))


def digest_of(template: Mapping[str, Any], region: str) -> str:
    """Without what follows ``cr-``: a local AWS gives its reservations other ids in each run; and without the digests
    of files, which change with each edit of a chart.
    """
    text = ASSET.sub("", RESERVATION.sub("cr-", json.dumps(template, ensure_ascii=False)))
    return hashlib.sha256(f"{region} {text}".encode()).hexdigest()


def _recorded() -> Mapping[str, Sequence[Match]]:
    """Returns matches by digest of Region and template; none when another release of cfn-lint is installed."""
    document = json.loads(RECORD.read_text())
    if document["version"] != version("cfn-lint"):
        return {}
    return {digest: [Match(*row) for row in found] for digest, found in document["found"].items()}


def _linter() -> Lint:
    """cfn-lint itself. Its rules are loaded once: that takes as long as a template."""
    from cfnlint.config import ConfigMixIn
    from cfnlint.decode.decode import decode_str
    from cfnlint.runner import Runner, run_template_by_data

    rules = Runner(ConfigMixIn([])).rules

    def lint(template: Mapping[str, Any], region: str) -> Sequence[Match]:
        decoded, wrong = decode_str(json.dumps(template, ensure_ascii=False))
        found = list(wrong) or list(run_template_by_data(decoded or {}, ConfigMixIn(regions=[region]), rules))
        return [Match(each.rule.id, [*each.path], each.message[:MESSAGE]) for each in found]

    return lint
