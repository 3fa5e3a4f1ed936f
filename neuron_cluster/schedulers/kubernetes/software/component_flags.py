"""Flags of the components, as the file gives them."""

from __future__ import annotations

from collections.abc import Mapping

ComponentFlags = Mapping[str, bool | None]
"""Every component of the registry, in the order of the file's model; None where the default decides."""
