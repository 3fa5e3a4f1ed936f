"""Edits change values and nothing else of a file."""

import pytest

from neuron_cluster.errors import ToolkitError
from neuron_cluster.upgrade.file_edit import FileEdit, edited_text

TEXT = """# head
neuron:
  sdk: "2.29.0"   # why
  containers: [a:1, 'b:1'] # flow

  frameworks:
  - jax     # block
"""


def edit(path: tuple[str | int, ...], before: str, after: str) -> FileEdit:
    return FileEdit(path, before, after, "")


def test_comments_quotes_order_and_blank_lines_stay() -> None:
    edits = [
        edit(("neuron", "sdk"), "2.29.0", "2.33.0"),
        edit(("neuron", "containers", 1), "b:1", "b:22"),
        edit(("neuron", "containers", 0), "a:1", "aa:2"),
        edit(("neuron", "frameworks", 0), "jax", "vllm"),
    ]
    assert edited_text(TEXT, edits) == (
        TEXT.replace('"2.29.0"', '"2.33.0"').replace("[a:1, 'b:1']", "[aa:2, 'b:22']").replace("- jax ", "- vllm ")
    )


def test_line_ends_of_another_system_stay() -> None:
    made = edited_text(TEXT.replace("\n", "\r\n"), [edit(("neuron", "sdk"), "2.29.0", "2.33.0")])
    assert made == TEXT.replace("2.29.0", "2.33.0").replace("\n", "\r\n")


def test_no_edit_changes_no_byte() -> None:
    assert edited_text(TEXT, []) == TEXT


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (TEXT, edit(("neuron", "driver"), "2", "3")),
        (TEXT, edit(("neuron", "sdk"), "2.30.0", "2.33.0")),
        (TEXT, edit(("neuron", "frameworks", 0), "jax", "a: b")),
        ("a: >-\n  one\n  two\n", edit(("a",), "one two", "three")),
    ],
    ids=["no such key", "another value stands there", "a value that YAML reads otherwise", "several lines"],
)
def test_what_cannot_be_edited_alone_is_refused_with_the_value_to_write(text: str, wrong: FileEdit) -> None:
    with pytest.raises(ToolkitError) as refused:
        edited_text(text, [wrong])
    assert wrong.after in refused.value.hint
