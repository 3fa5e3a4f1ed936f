"""The error of a construct whose parameters cannot be built."""

from __future__ import annotations

from collections.abc import Iterable

from constructs import Construct

from neuron_cluster.errors import ToolkitError


class InvalidParameters(ToolkitError, ValueError):
    """One line for each parameter: the path of the construct, what was given, what is allowed, what to do."""

    def __init__(self, construct: Construct, problems: Iterable[tuple[str, str]]) -> None:
        """``problems``: message and hint of each."""
        path = construct.node.path
        lines = [f"{path}: {message}" + (f"; {hint}" if hint else "") for message, hint in problems]
        super().__init__("\n".join(lines))
