"""The location of the files of the toolkit beside its modules: in a checkout, or in an installed wheel.

``project`` has the other place: the folder of the user, with ``cdk.json`` and ``environments/``.
"""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).parent
BUNDLE = "bundle"
"""The folder of the package to which the build of a wheel copies the files (``setup.py``). A checkout has none."""

TOOLKIT = PACKAGE / BUNDLE if (PACKAGE / BUNDLE).is_dir() else PACKAGE.parent
"""The folder that holds the files by the names that they have in a checkout."""
CHARTS = TOOLKIT / "charts"
FUNCTIONS = TOOLKIT / "functions"
"""Code of Lambda functions."""
TEMPLATES = TOOLKIT / "environments"
"""The shipped environments, and the JSON schema for editors."""
CDK_SETTINGS = TOOLKIT / "cdk.json"
NPM_FILES = (TOOLKIT / "package.json", TOOLKIT / "package-lock.json")
"""What pins the CDK command."""
