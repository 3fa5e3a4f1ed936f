"""The templates of environment files: the shipped environments."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from neuron_cluster.config.bases import read_with_bases
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.suggestions import did_you_mean_one_of
from neuron_cluster.lock.model import Lock
from neuron_cluster.lock.paths import lock_command, lock_path, locks_beside
from neuron_cluster.lock.reader import load_lock
from neuron_cluster.starter.data_file import TemplateRow, template_rows
from neuron_cluster.toolkit_files import TEMPLATES
from neuron_cluster.upgrade.file_edit import scalar_values

SUFFIX = ".yaml"
SCHEMA_FILES = (TEMPLATES / "environment.schema.json", TEMPLATES / "partial.schema.json")
"""Schemas for editors: of environment files, and of bases and files that extend one."""
_END_OF_SENTENCE = re.compile(r"\.(?:\s|$)")


class Template(Struct, frozen=True):
    """A shipped environment."""

    name: str
    summary: str
    """First sentence of the comment at its beginning."""
    text: str
    row: TemplateRow = TemplateRow()
    bases: Mapping[str, str] = {}
    """Text of each base by its path in ``environments/``, the nearest first."""
    lock: Lock | None = None
    """The lock of a template in an existing VPC: an example of the VPC, without which the template is not valid."""

    @property
    def values(self) -> tuple[dict[KeyPath, str], ...]:
        """Scalars of the file, then of each base."""
        return tuple(scalar_values(text) for text in (self.text, *self.bases.values()))

    def value(self, key: str) -> str:
        """Returns the value of a top-level key, wherever it is written. Raises ``StopIteration`` for an absent one."""
        return next(values[(key,)] for values in self.values if (key,) in values)


def templates() -> tuple[Template, ...]:
    """Every template, by name."""
    return tuple(map(_read, _files().values()))


def templates_for(purpose: str) -> tuple[str, ...]:
    """Names of the templates for a purpose, the default first."""
    return tuple(name for name, row in template_rows().items() if purpose in row.purposes)


def template(name: str) -> Template:
    """The template of this name. Raises ``ToolkitError`` for another."""
    known = _files()
    if name in known:
        return _read(known[name])
    hint = f"{did_you_mean_one_of(name, known)}`neuron-cluster init --list-templates` lists the templates"
    raise ToolkitError(f"--template {name!r} is not the name of a template", hint=hint)


def _files() -> dict[str, Path]:
    """Returns the file of each template by its name, sorted."""
    return {path.stem: path for path in sorted(TEMPLATES.glob(f"*{SUFFIX}"))}


def _read(path: Path) -> Template:
    text = path.read_text(encoding="utf-8")
    head = [line.removeprefix("#").strip() for line in text.splitlines()[1:]]  # the first line names the schema
    paragraph = " ".join(head[: head.index("")])
    row = template_rows().get(path.stem, TemplateRow())
    bases = {
        base.display_name: base.path.read_text(encoding="utf-8") for base in read_with_bases(path, path.name).files[1:]
    }
    return Template(path.stem, f"{_END_OF_SENTENCE.split(paragraph)[0]}.", text, row, bases, _lock(path))


def _lock(path: Path) -> Lock | None:
    file = lock_path(locks_beside(path), path.stem)
    return load_lock(file, display_name=str(file), again=lock_command(path.stem)).lock
