"""The table of CONTRIBUTING.md: one row for each thing to add, and a patch that adds one."""

from __future__ import annotations

import re
from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).parents[2]
PATCHES = Path(__file__).parent
HEADING = "| To add | Files | Then run | Proof |"
ARTICLE = re.compile(r"^(an?|another) ")
PLACEHOLDER = re.compile(r"<[^>]+>")
PACKAGE = "<package>"

OUTPUTS = {
    "tools/refresh_create_only.py": ("neuron_cluster/catalog/data/create_only.yaml",),
    "tools/write_architecture_page.py": ("docs/architecture.md", "docs/architecture.svg"),
    "tools/write_bindings.py": ("local_aws/resource_types/bindings.json", "local_aws/handlers/schemas/"),
    "tools/write_catalog_page.py": ("docs/catalog.md", "docs/catalog/"),
    "tools/write_changes_page.py": ("docs/changes.md", "docs/changes/"),
    "tools/write_cli_pages.py": ("docs/cli/",),
    "tools/write_editor_schema.py": ("environments/environment.schema.json", "environments/partial.schema.json"),
    "tools/write_goldens.py": ("tests/golden/", "tests/fixtures/plan_summaries/"),
    "tools/write_keys_pages.py": ("docs/keys.md", "docs/keys/"),
    "tools/write_json_pages.py": ("docs/json/", "neuron_cluster/cli/formats/"),
    "tools/write_local_aws_page.py": ("docs/local-aws.md", "docs/local-aws/"),
    "tools/write_rules_page.py": ("docs/rules.md", "docs/rules/", "neuron_cluster/rules/examples.json"),
}
"""Files that each tool writes."""


class Row(Struct, frozen=True):
    """One row. ``files`` are written by hand, with placeholders; ``proof`` are paths of tests."""

    what: str
    files: tuple[str, ...]
    tools: tuple[str, ...]
    proof: tuple[str, ...]

    @property
    def slug(self) -> str:
        """Name of its patch."""
        return re.sub(r"[^a-z]+", "-", ARTICLE.sub("", self.what.lower())).strip("-")

    @property
    def patch(self) -> Path:
        return PATCHES / f"{self.slug}.patch"

    def is_of_row(self, file: str) -> bool:
        """Whether it is written by hand."""
        return any(fits(pattern, file) for pattern in self.files)

    def is_generated(self, file: str) -> bool:
        """Whether a tool of the row writes it."""
        return any(file.startswith(output) for tool in self.tools for output in OUTPUTS[tool])


def fits(pattern: str, file: str) -> bool:
    """``<name>`` stands for a part of a file name, ``<package>`` for a folder at any depth.

    A pattern that ends in ``/`` stands for everything in the folder.
    """
    expression = PLACEHOLDER.sub("[^/]+", re.escape(pattern).replace(PACKAGE, ".+"))
    return re.fullmatch(expression + (".+" if pattern.endswith("/") else ""), file) is not None


def rows() -> list[Row]:
    """Returns the rows of the table in CONTRIBUTING.md."""
    lines = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").splitlines()
    first = lines.index(HEADING) + 2
    table = lines[first : lines.index("", first)]
    return [_row(line) for line in table]


def _row(line: str) -> Row:
    what, *others = (cell.strip() for cell in line.strip("|").split("|"))
    files, tools, proof = (tuple(re.findall(r"`([^`]+)`", cell)) for cell in others)
    return Row(what, files, tools, proof)


def touched(patch: Path) -> list[str]:
    """Files that a patch changes or adds."""
    return re.findall(r"^\+\+\+ b/(.+)$", patch.read_text(encoding="utf-8"), re.MULTILINE)
