"""``tools/count_code.py``: each line of a Python file is code, an import, a docstring, a comment or blank."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from count_code import FOLDERS, Folder, Lines, count_folder, count_lines, main

SOURCE = '''\
"""The module,
on two lines."""

from __future__ import annotations

from typing import (
    TYPE_CHECKING,
)

# a comment
if TYPE_CHECKING:
    from pathlib import Path

LIMIT = 3  # a comment after code
"""A docstring of a constant."""
TEXT = """

not a docstring
"""


def double(number: int, path: Path) -> int:
    """Returns twice the number."""
    import math

    return (
        # only a comment
        2 * math.floor(number)
    )
'''


def test_each_line_of_a_file_is_counted_once() -> None:
    imports = 1 + 3 + 2 + 1  # with the line of the TYPE_CHECKING block
    other_code = 1 + 3 + 1 + 3  # the blank line in TEXT is blank
    assert count_lines(SOURCE) == Lines(lines=len(SOURCE.splitlines()), code=imports + other_code, imports=imports)


@pytest.mark.parametrize(
    ("source", "imports"),
    [
        ("import a\n", 1),
        ("if typing.TYPE_CHECKING:\n    import a\n    import b\n", 3),
        ("if TYPE_CHECKING:\n    import a\nelse:\n    a = None\n", 2),
        ("if other:\n    import a\n", 1),
        ("def f():\n    from a import (\n        b,\n\n        # c\n        c,\n    )\n", 4),
    ],
)
def test_imports_are_counted_wherever_they_are(source: str, imports: int) -> None:
    assert count_lines(source).imports == imports


def test_a_folder_has_sums_a_share_and_the_median_of_files_with_code(tmp_path: Path) -> None:
    below = tmp_path / "neuron_cluster" / "cli"
    below.mkdir(parents=True)
    (below / "__init__.py").write_text('"""Only a docstring."""\n')
    (below / "one.py").write_text("import a\n\na.b()\n")
    (below / "two.py").write_text("import a\n\na.b()\na.b()\na.b()\n")
    (below / "notes.txt").write_text("import a\n")
    assert count_folder(tmp_path, "neuron_cluster") == Folder(
        folder="neuron_cluster", files=3, lines=9, code=6, imports=2, share_of_imports=33.3, median_code=2
    )


def test_an_absent_folder_has_no_files(tmp_path: Path) -> None:
    assert count_folder(tmp_path, "charts") == Folder("charts", 0, 0, 0, 0, 0.0, 0)


def test_json_has_an_object_for_each_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "stacks").mkdir()
    (tmp_path / "stacks" / "one.py").write_text("x = 1\n")
    main([str(tmp_path), "--format", "json"])
    folders = json.loads(capsys.readouterr().out)
    assert [each["folder"] for each in folders] == list(FOLDERS)
    assert folders[FOLDERS.index("stacks")] == {
        "folder": "stacks", "files": 1, "lines": 1, "code": 1, "imports": 0, "share_of_imports": 0.0, "median_code": 1
    }  # fmt: skip


def test_the_table_has_a_row_for_each_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([str(tmp_path)])
    title, _, *rows = capsys.readouterr().out.splitlines()
    assert title.split("|")[1].strip() == "folder"
    assert [row.split("|")[1].strip() for row in rows] == list(FOLDERS)
