"""The description of a finding id: the condition that must hold, its reason, and the source of the fact."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct, to_builtins

from neuron_cluster.findings.references import References

CONSEQUENCE = "Without this check "
PARAGRAPH_END = re.compile(r"\n\s*\n|\n(?=- )")
THIS_TOOLKIT = "the design of this toolkit"
"""The source of what no service requires."""
NO_REFERENCES: Mapping[str, References] = {}


class FindingExample(Struct, frozen=True):
    """The finding of a file that violates the rule. ``path`` is a key path of the environment file."""

    path: str
    message: str
    hint: str


class FindingSpec(Struct, frozen=True):
    """One finding id. A field that does not apply to it is empty."""

    id: str
    chapter: str
    """Number and title: ``3: the machines``."""
    judges: str
    """The checked object: the file as it is written, the plan, a template, an edit."""
    title: str
    """The condition that must hold, in one sentence."""
    reason: str
    consequence: str = ""
    """The error of AWS without the check, or the failure without an error."""
    source: str = THIS_TOOLKIT
    types: tuple[str, ...] = ()
    """CloudFormation types that are checked."""
    operation: str = ""
    """API operation that would be rejected, ``ec2:RunInstances``."""
    error_code: str = ""
    """The service's error code; empty for an operation too where AWS accepts what the rule rejects."""
    references: References = ()
    """Public issues that the finding would have prevented."""
    example: FindingExample | None = None

    @property
    def severity(self) -> str:
        return "error" if self.id.startswith("E") else "warning"

    def as_dict(self) -> dict[str, Any]:
        """The form that ``explain --format json`` prints."""
        return {**to_builtins(self), "severity": self.severity}


def specs_of_table(
    chapter: str,
    judges: str,
    rows: Mapping[str, tuple[str, str]],
    references: Mapping[str, References] = NO_REFERENCES,
) -> tuple[FindingSpec, ...]:
    """Findings of one chapter: title and reason by id; ``references`` has those of some of them."""
    return tuple(
        FindingSpec(finding_id, chapter, judges, title, reason, references=references.get(finding_id, ()))
        for finding_id, (title, reason) in rows.items()
    )


def docstring_parts(docstring: str) -> tuple[str, str, str]:
    """Title, reason and consequence: how the docstring of a rule is laid out.

    A paragraph, or an item of a list, becomes one line.
    """
    title, _, rest = inspect.cleandoc(docstring).partition("\n")
    reason, _, consequence = _joined(_unquoted(rest)).partition(CONSEQUENCE)
    return _unquoted(title), reason.strip(), consequence


def _joined(text: str) -> str:
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in PARAGRAPH_END.split(text))


def _unquoted(text: str) -> str:
    return text.strip().replace("``", "`")
