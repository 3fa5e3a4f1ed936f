"""YAML text to a tree of texts with places; whatever an environment has no use for is a finding."""

import pytest

from neuron_cluster.config.document import DEEPEST, read_document


def ids(text: str) -> list[str]:
    return [finding.id for finding in read_document(text, "e.yaml").findings]


def test_scalars_keep_the_text_that_was_written():
    """No number, date, octal or boolean is guessed."""
    tree = read_document("version: 1.30\naccount: 012345670123\nname: no\nday: 2026-11-21\nempty: ''\n", "e.yaml").tree
    assert tree == {
        "version": "1.30",
        "account": "012345670123",
        "name": "no",
        "day": "2026-11-21",
        "empty": "",
    }


def test_a_key_without_a_value_is_nothing_and_not_an_empty_text():
    assert read_document("storage:\n", "e.yaml").tree == {"storage": None}


def test_every_key_and_item_has_its_line_and_column():
    document = read_document("a:\n  b: 1\n  c:\n    - x\n    - {d: 2}\n", "e.yaml")
    places = document.source.places
    assert places["a",] == (1, 1)
    assert places["a", "b"] == (2, 3)
    assert places["a", "c", 0] == (4, 7)
    assert places["a", "c", 1, "d"] == (5, 8)


def test_a_path_that_is_not_written_is_located_at_the_nearest_part_around_it():
    source = read_document("a:\n  b: 1\n", "e.yaml").source
    location = source.locate(("a", "b", "c"))
    assert (location.line, location.column, location.path) == (2, 3, "a.b.c")


@pytest.mark.parametrize(
    ("text", "finding_id"),
    [
        ("", "E0004"),
        ("# only a comment\n", "E0004"),
        ("---\n", "E0004"),
        ("a: 1\n---\nb: 2\n", "E0004"),
        ("a: [1\n", "E0003"),
        ("a: b: c\n", "E0003"),
        ("\ta: 1\n", "E0003"),
        ("? [x]\n: 1\n", "E0003"),
        ("a: 1\na: 2\n", "E0005"),
        ("a: &x 1\n", "E0006"),
        ("a: 1\nb: *a\n", "E0006"),
        ("a: {b: 1}\nc:\n  <<: {d: 1}\n", "E0006"),
        ("a: !!int 1\n", "E0006"),
        ("a: !secret x\n", "E0006"),
        ("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), "E0007"),
        ("[" * 100_000, "E0007"),
        ("{a: " * 100_000, "E0007"),
    ],
)
def test_what_an_environment_has_no_use_for_is_a_finding(text: str, finding_id: str):
    assert finding_id in ids(text)


@pytest.mark.parametrize("text", ["a: 1\nb", "a: 1\nb\n"])
def test_what_the_parser_finds_at_the_end_of_the_file_is_on_its_last_line(text: str):
    (finding,) = read_document(text, "e.yaml").findings
    assert (finding.id, finding.location.line) == ("E0003", 2)


def test_a_second_key_is_reported_where_it_stands_and_the_first_one_counts():
    document = read_document("a: 1\nb: 2\na: {c: 3}\n", "e.yaml")
    (finding,) = document.findings
    assert (finding.location.line, finding.location.path) == (3, "a")
    assert "line 1" in finding.message
    assert document.tree == {"a": "1", "b": "2"}


def test_all_findings_of_a_file_come_in_one_run():
    assert ids("a: 1\na: 2\nb: !x 1\nc: &y 2\n") == ["E0005", "E0006", "E0006"]


@pytest.mark.parametrize("text", ["x: 1\n*a :\ny: 2\n", "x: 1\n*a : 5\ny: 2\n", "x: 1\n*a : {b: 1}\ny: 2\n"])
def test_an_alias_as_a_key_is_a_finding_and_takes_no_other_key_with_it(text: str):
    document = read_document(text, "f")
    assert [(finding.id, finding.location.line) for finding in document.findings] == [("E0006", 2)]
    assert document.tree == {"x": "1", "y": "2"}


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ('a: 1\nb: "x\nc: 1\nd: 2\n', 2, "the quote that opens here is not closed"),
        ("a: 1\n\tb: 1\n", 2, "indented with a tab"),
        ("a:\n  b: 1\n  \tc: 2\n", 3, "indented with a tab"),
        ("a: 1\nb: @x\n", 2, "a value cannot begin with @"),
        ("a: 1\nb\n\nc: 2\n", 2, "no colon ends a key on this line"),
        ("a: 1\nb: [1,\n2\n", 2, "the [ that opens here is not closed"),
        ("a: 1\nb:\u00a02\n\nc: 2\n", 2, "it contains a no-break space"),
        ("a: 1\n<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> theirs\n", 2, "a merge conflict begins here"),
    ],
)
def test_what_is_no_yaml_is_said_where_the_mistake_is(text: str, line: int, says: str):
    (finding,) = read_document(text, "e.yaml").findings
    assert (finding.id, finding.location.line) == ("E0003", line)
    assert says in f"{finding.message} {finding.hint}"


@pytest.mark.parametrize("text", ["a: {{ x }}\nb: 1\n", "a: " + "[" * (DEEPEST + 1) + "]" * (DEEPEST + 1) + "\nb: 1\n"])
def test_of_a_file_that_is_not_read_to_its_end_nothing_is_used(text: str):
    document = read_document(text, "e.yaml")
    assert (len(document.findings), document.tree) == (1, None)


def test_several_keys_twice_in_an_item_are_one_finding_that_tells_of_the_next_item():
    document = read_document("x:\n  - a: 1\n    b: 2\n    a: 3\n    b: 4\n    c: 5\n", "e.yaml")
    (finding,) = document.findings
    assert (finding.id, finding.location.line) == ("E0005", 4)
    assert finding.message == "duplicate keys a and b"
    assert finding.hint.startswith('write "- " before a')
    assert document.doubtful == [("x", 0)]


def test_several_keys_twice_in_a_mapping_are_a_finding_each():
    assert ids("a: 1\nb: 2\na: 3\nb: 4\n") == ["E0005", "E0005"]
