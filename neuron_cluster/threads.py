"""Public threads: what people reported of other tools, and which finding here would have helped them."""

from __future__ import annotations

from typing import ClassVar

Threads = tuple[str, ...]
"""Each as ``owner/repository#number``, an issue or a pull request of GitHub."""


class CitesThreads:
    """A rule or law: something that makes one kind of finding."""

    threads: ClassVar[Threads] = ()
    """Threads of people whom the finding would have helped."""
