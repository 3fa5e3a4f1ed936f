"""``tools/check_writing.py``: first words of docstrings, words that they do not contain, lengths of names of tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from check_writing import LIST, Unread, check, faults, main, read_list, shrink

ROOT = Path(__file__).parents[3]
NAME = "test_" + "x" * 75
FAULT = '"""Of a node: its name."""\n'
FAULTLESS = '"""The name of a node."""\n'


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with two files that have a fault, both in the list."""
    (tmp_path / "tools").mkdir()
    for name in ("a", "b"):
        (tmp_path / "tools" / f"{name}.py").write_text(FAULT)
    (tmp_path / LIST).write_text("# 2 files whose docstrings\ntools/a.py\ntools/b.py\n")
    return tmp_path


@pytest.mark.parametrize("word", ["Of", "Those", "That", "By", "For", "What"])
def test_a_first_word_that_is_not_allowed_is_a_fault(word: str) -> None:
    assert list(faults(f'\n"""{word} a node."""\n')) == [
        (2, f'the docstring starts with "{word}": write a noun or a verb')
    ]


@pytest.mark.parametrize(
    ("docstring", "message"),
    [
        ("Writes it anew.", 'the docstring has "anew": write again'),
        ("The folder\nBeside it.", 'the docstring has "Beside": write next to, in addition to'),
    ],
)
def test_a_word_that_is_not_allowed_is_a_fault(docstring: str, message: str) -> None:
    assert list(faults(f'"""{docstring}"""\n')) == [(1, message)]


@pytest.mark.parametrize(
    "source",
    [
        'def f():\n    """Of it."""\n',
        'async def f():\n    """Of it."""\n',
        'class A:\n    b: int\n    """Of it."""\n',
        'if a:\n    class A:\n        def f(self):\n            """  Of: it."""\n',
        'try:\n    pass\nexcept A:\n    """Of it."""\n',
    ],
)
def test_docstrings_are_found_at_each_depth(source: str) -> None:
    assert len(list(faults(source))) == 1


@pytest.mark.parametrize(
    "source",
    [
        '"""Often. Nodes besides those of it, and for it."""',
        '""""""',
        "# Of a node, anew",
        'text = "Of a node, anew"',
        f"def {NAME}(): pass",
        f"def {NAME.removeprefix('test_')}_and_more(): pass",
    ],
)
def test_other_text_is_no_fault(source: str) -> None:
    assert list(faults(source)) == []


@pytest.mark.parametrize("head", ["def", "class A:\n    def", "async def"])
def test_a_name_of_a_test_of_81_characters_is_a_fault(head: str) -> None:
    assert [message for _, message in faults(f"{head} {NAME}x(): pass")] == [
        "the name of the test has 81 characters: 80"
    ]


def test_a_checkout_whose_files_with_faults_are_listed_passes(checkout: Path) -> None:
    assert list(check(checkout)) == []


def test_a_file_that_is_not_listed_is_reported_with_its_line(checkout: Path) -> None:
    (checkout / "stacks").mkdir()
    (checkout / "stacks" / "c.py").write_text(FAULTLESS + FAULT)
    assert list(check(checkout)) == ['stacks/c.py:2: the docstring starts with "Of": write a noun or a verb']


@pytest.mark.parametrize("gone", [True, False])
def test_a_listed_file_without_fault_is_rejected_until_it_leaves_the_list(checkout: Path, gone: bool) -> None:
    file = checkout / "tools" / "a.py"
    file.unlink() if gone else file.write_text(FAULTLESS)
    assert list(check(checkout)) == [f"{LIST}: tools/a.py has no fault: remove it from the list (--shrink)"]
    shrink(checkout)
    assert read_list(checkout) == Unread(most=1, files=["tools/b.py"])
    assert list(check(checkout)) == []


def test_shrinking_adds_no_file(checkout: Path) -> None:
    (checkout / "tools" / "c.py").write_text(FAULT)
    shrink(checkout)
    assert read_list(checkout) == Unread(most=2, files=["tools/a.py", "tools/b.py"])
    assert len(list(check(checkout))) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# 1 file", "2 files are listed, and its first line allows 1: rewrite a file instead of listing it"),
        ("# 3 files", "2 files are listed, and its first line allows 3: write 2 (--shrink)"),
    ],
)
def test_the_number_of_the_first_line_is_that_of_the_files(checkout: Path, text: str, message: str) -> None:
    (checkout / LIST).write_text(f"{text}\ntools/a.py\ntools/b.py\n")
    assert list(check(checkout)) == [f"{LIST}: {message}"]


def test_shrinking_does_not_raise_the_number_of_the_first_line(checkout: Path) -> None:
    (checkout / LIST).write_text("# 1 file\ntools/a.py\ntools/b.py\n")
    shrink(checkout)
    assert read_list(checkout).most == 1


def test_the_list_is_sorted_and_names_a_file_once(checkout: Path) -> None:
    (checkout / LIST).write_text("# 3 files\ntools/b.py\ntools/a.py\ntools/a.py\n")
    assert list(check(checkout)) == [f"{LIST}: paths are not sorted, or twice in it (--shrink)"]


def test_the_program_fails_and_prints_the_faults(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (checkout / "tools" / "c.py").write_text(FAULT)
    with pytest.raises(SystemExit, match="1"):
        main([str(checkout)])
    assert capsys.readouterr().out.startswith("tools/c.py:1: ")


def test_the_list_of_this_checkout_has_as_many_files_as_it_allows_and_each_exists() -> None:
    unread = read_list(ROOT)
    assert len(unread.files) == unread.most
    assert [name for name in unread.files if not (ROOT / name).is_file()] == []


def test_the_list_of_this_checkout_only_shrinks() -> None:
    assert read_list(ROOT).most <= 96, "the number is only lowered"
