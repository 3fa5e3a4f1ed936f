"""The few exceptions of this package. Each message is written for the user at the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from neuron_cluster.findings.finding import Finding


class ToolkitError(Exception):
    """Something the user can act on. The command line prints the message and the hint and exits 1.

    Words of services, charts and programs become errors here: control characters in them are written out, so that they
    cannot rewrite a terminal.
    """

    finding_id: ClassVar[str] = "E9500"
    """Under which ``--format json`` reports it; a cause that scripts must distinguish has one of its own."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        from neuron_cluster.findings.text import printable

        self.message = printable(message)
        self.hint = printable(hint)
        super().__init__(self.message)


class InvalidEnvironment(ToolkitError):
    """An environment with at least one error: there is no plan for it."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        errors = [f for f in findings if f.severity.value == "error"]
        super().__init__(f"{len(errors)} error(s) in the environment file")
        self.findings = tuple(findings)
