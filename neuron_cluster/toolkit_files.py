"""The location of the files of the toolkit that are not modules: in a checkout, or in an installed wheel.

``project`` has the other place: the folder of the user, with ``cdk.json`` and ``environments/``.
"""

from __future__ import annotations

import re
from pathlib import Path

PACKAGE = Path(__file__).parent
BUNDLE = "bundle"
"""The folder of the package to which the build of a wheel copies the files (``setup.py``). A checkout has none."""

IS_CHECKOUT = not (PACKAGE / BUNDLE).is_dir()
TOOLKIT = PACKAGE.parent if IS_CHECKOUT else PACKAGE / BUNDLE
"""The folder that holds the files by the names that they have in a checkout."""
CHARTS = TOOLKIT / "charts"
FUNCTIONS = TOOLKIT / "functions"
"""Code of Lambda functions."""
TEMPLATES = TOOLKIT / "environments"
"""The shipped environments, and the JSON schema for editors."""
CDK_SETTINGS = TOOLKIT / "cdk.json"
NPM_FILES = (TOOLKIT / "package.json", TOOLKIT / "package-lock.json")
"""The files that pin the CDK command."""
PAGE = re.compile(r"docs/(?:[a-z0-9_-]+/)*[A-Za-z0-9._-]+\.md|charts/[a-z-]+/(?:README\.md|values\.yaml)")
"""Paths of pages that messages name: documentation, and the values of a bundled chart. None leads out of its folder."""


def toolkit_page(name: str) -> Path | None:
    """The file of a page, such as ``docs/storage.md``; None for any other name."""
    path = TOOLKIT / name
    return path if PAGE.fullmatch(name) and path.is_file() else None


def page_names() -> list[str]:
    """Every page, in the order of the names."""
    files = (*TOOLKIT.glob("docs/**/*.md"), *TOOLKIT.glob("charts/*/*"))
    return sorted(name for file in files if PAGE.fullmatch(name := file.relative_to(TOOLKIT).as_posix()))


def with_page_commands(text: str) -> str:
    """In an installed wheel the text with the command that prints a page in the place of its path."""
    return text if IS_CHECKOUT else page_commands(text)


def page_commands(text: str) -> str:
    """The text with ``neuron-cluster explain PAGE`` for each page; commands, between backticks, stay as they are."""
    parts = text.split("`")
    plain = [PAGE.sub(_command, part) if position % 2 == 0 else part for position, part in enumerate(parts)]
    return "`".join(plain)


def _command(found: re.Match[str]) -> str:
    is_other = found.string[: found.start()].endswith(("/", ":", "-"))  # a path in another repository
    return found[0] if is_other or toolkit_page(found[0]) is None else f"`neuron-cluster explain {found[0]}`"
