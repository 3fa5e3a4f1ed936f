"""Public references: what people reported of other tools, and which finding here would have helped them."""

from __future__ import annotations

from typing import ClassVar

References = tuple[str, ...]
"""Each as ``owner/repository#number``, an issue or a pull request of GitHub."""


class CitesReferences:
    """A rule: something that makes one kind of finding."""

    references: ClassVar[References] = ()
    """References of people whom the finding would have helped."""
