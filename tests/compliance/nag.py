"""Runs packs of cdk-nag over the app of an environment, and compares what they find with what is acknowledged."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

CHECKOV = "CKV_"
"""How checkov begins the names of its checks."""
VALIDATION = "CloudFormation-Validate::"
"""How CDK's validation begins the names of its own."""
Place = tuple[str, str]
"""Construct path and rule id."""
Note = tuple[str, str, str]
"""Construct path, rule id, reason."""


class _TakesNoNote:
    def acknowledge(self, *rules: Any) -> None:
        """Stands in for CDK's ``Validations`` where acknowledgements are taken off."""


def run_packs(
    cdk: Any,
    app_of: Callable[..., Any],
    case: tuple[str, dict[str, Any]],
    packs: tuple[Callable[[Any], Any], ...],
    outdir: Path,
    *,
    with_acknowledgements: bool,
) -> tuple[Any, list[Place]]:
    """The app, and what the packs and CDK itself find in it."""
    with pytest.MonkeyPatch.context() as patch:
        if not with_acknowledgements:
            patch.setattr(cdk.Validations, "of", lambda _construct: _TakesNoNote())
        app = app_of(*case, outdir=outdir, assets_copied=False)
    cdk.Validations.of(app).add_plugins(*(pack(app) for pack in packs))
    try:
        app.synth()
    except RuntimeError as error:  # jsii's form of CDK's ValidationFailed, which the report explains
        if not str(error).startswith("ValidationFailed"):
            raise
    return app, list(_found(outdir))


def _found(outdir: Path) -> Iterator[Place]:
    """Yields the rows of CDK's report: the violations of cdk-nag, and CDK's own warnings as those of "Annotation"."""
    report = outdir / "validation-report.json"
    for plugin in json.loads(report.read_text())["pluginReports"] if report.exists() else []:
        for violation in plugin["violations"]:
            for construct in violation["violatingConstructs"]:
                yield construct["constructPath"], violation["ruleName"].rpartition("Annotation::")[2]


def acknowledgements(app: Any, *, of_standards: bool) -> list[Note]:
    """Returns acknowledgements of the packs of standards, or all others of cdk-nag and CDK."""
    of_nag = [note for note in _notes(app) if not has_own_test(note[1])]
    return [note for note in of_nag if note[1].startswith(("NIST.", "PCI.")) is of_standards]


def _notes(app: Any) -> list[Note]:
    return [
        (construct.node.path, rule.rpartition("Annotation::")[2], reason)
        for construct in app.node.find_all()
        for entry in construct.node.metadata
        if entry.type == "aws:cdk:acknowledged-rules"
        for rule, reason in entry.data.items()
    ]


def is_of_checkov(rule: str) -> bool:
    """Whether it is a check of checkov, which has a test of its own."""
    return rule.rpartition("Annotation::")[2].startswith(CHECKOV)


def has_own_test(rule: str) -> bool:
    """Whether it is a check of checkov or of CDK's validation, each of which has a test of its own."""
    return is_of_checkov(rule) or rule.startswith(VALIDATION)


def of_validation(app: Any) -> list[Note]:
    """Returns acknowledgements of CDK's validation, whose report has them by the end of their names."""
    notes = (note for note in _notes(app) if note[1].startswith(VALIDATION))
    return [(path, rule.removeprefix(VALIDATION), reason) for path, rule, reason in notes]


def needless(notes: list[Note], findings: list[Place]) -> list[Place]:
    """Acknowledgements that match no finding of a run without any."""
    return [
        (path, rule)
        for path, rule, _ in notes
        if not any(rule == found and f"{where}/".startswith(f"{path}/") for where, found in findings)
    ]
