"""Package indexes to which every user may upload."""

from __future__ import annotations

import contextlib
from urllib.parse import urlsplit

PUBLIC_HOSTS = ("pypi.org", "pypi.python.org", "pythonhosted.org", "piwheels.org", "anaconda.org")
"""With every host below them. Source: https://pypi.org/help/, https://www.piwheels.org/, https://docs.anaconda.org/"""


def is_public(place: str) -> bool:
    """Whether a URL is of a public index; a path is not."""
    host = ""
    with contextlib.suppress(ValueError):
        host = (urlsplit(place).hostname or "").rstrip(".").lower()
    return any(host == each or host.endswith(f".{each}") for each in PUBLIC_HOSTS)
