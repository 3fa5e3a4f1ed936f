"""Components of Image Builder: documents with a script that installs or checks software of an AMI.

Source: https://docs.aws.amazon.com/imagebuilder/latest/userguide/toe-use-documents.html
"""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

SCRIPTS = Path(__file__).with_name("scripts")
FUNCTIONS = "packages.sh"
"""Functions that every script may call."""
SCHEMA_VERSION = 1.0
BUILD, VALIDATE, TEST = "build", "validate", "test"
"""Phases: before the AMI is made, and on an instance of it. Each document has one: a page of Image Builder states
that the test stage runs documents with this phase alone.

Source: https://docs.aws.amazon.com/imagebuilder/latest/userguide/manage-components.html
"""


class Step(Struct, frozen=True, kw_only=True):
    """A script of the recipe, and the values that it is given as variables."""

    name: str
    script: str
    """Text. The first sentence of its first line, a comment, describes the component."""
    values: Mapping[str, str] = {}
    head: str = ""
    """Assignments before them that the shell has to expand."""


class Component(Struct, frozen=True):
    """Its name is unique in the environment; ``text`` is the document, of at most 16,000 characters."""

    name: str
    text: str

    @property
    def version(self) -> str:
        """Changes with the document: Image Builder keeps every version of a component as it is."""
        return f"1.0.{content_number(self.text)}"


def step_document(step: Step, phase: str = BUILD) -> str:
    """The document that runs a step."""
    assignments = "".join(f"{key}={shlex.quote(value)}\n" for key, value in step.values.items())
    title = step.script.partition("\n")[0].removeprefix("# ").partition(". ")[0].rstrip(".")
    return document(title, f"{step.head}{assignments}{image_script(FUNCTIONS)}{step.script}", phase)


def document(description: str, script: str, phase: str = BUILD) -> str:
    """The document that runs a script with bash."""
    step = {"name": "Run", "action": "ExecuteBash", "onFailure": "Abort", "inputs": {"commands": [script]}}
    content = {
        "description": description,
        "schemaVersion": SCHEMA_VERSION,
        "phases": [{"name": phase, "steps": [step]}],
    }
    return json.dumps(content, indent=1)


def image_script(name: str) -> str:
    """The text of a script that all recipes share."""
    return (SCRIPTS / name).read_text(encoding="utf-8")


def content_number(text: str) -> int:
    """A number for a content. Each number of a version of Image Builder is below 2^30."""
    return int(hashlib.sha256(text.encode()).hexdigest()[:7], 16)
