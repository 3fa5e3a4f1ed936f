"""Each hint about the text and the shape of an environment file is followed: its finding goes, and no error comes."""

from __future__ import annotations

import copy
import errno
import functools
import os
import re
import shlex
import stat
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import pytest
from finding_words import unsaid
from hint_commands import command_error, commands_in

from neuron_cluster.bounded_file import MAX_BYTES
from neuron_cluster.cli.main import main
from neuron_cluster.config.document import DEEPEST, MAX_VALUES, read_document
from neuron_cluster.config.fields import walk_fields
from neuron_cluster.config.file_findings import MAX_ERRORS, way_to_read
from neuron_cluster.config.finding_specs import ROWS
from neuron_cluster.config.source_map import KeyPath, SourceMap, format_path
from neuron_cluster.config.validation import validate_tree
from neuron_cluster.findings.finding import Finding
from neuron_cluster.pipeline import check_environment
from tests.every_case import every_case
from tests.every_run import in_every_run

SHIPPED = Path(__file__).parents[3] / "environments" / "train-trn1.yaml"
FILE = """\
schema: 1
name: small
account: 111122223333
region: us-west-2
lifecycle: durable
tags: {owner: ml}
neuron: {sdk: 2.32.0}
network:
  cidr: 10.50.0.0/16
  availability_zones: [usw2-az1, usw2-az2]
storage:
  lustre:
    availability_zone: usw2-az1
    capacity_gib: 1200
  homes:
    - name: alice
      availability_zone: usw2-az1
      size_gib: 200
    - name: bob
      availability_zone: usw2-az1
      size_gib: 200
"""
STATION = """\
workstations:
  - name: alice
    instance_type: trn1.2xlarge
    dlami: multi_framework_ubuntu_24_04
    availability_zone: usw2-az1
    root_volume: {size_gib: 512}
    capacity:
      kind: on_demand
"""
RESERVATION = "      reservation_id: cr-0123456789abcdef1\n"
TRAINIUM2 = FILE + STATION.replace("trn1.2xlarge", "trn2.3xlarge")
VALUE_OF_A_TAG = "E6003"
"""Says that the value itself, which the file had before, is none that a tag can have."""

Edit = tuple[str, str]


def edited(*edits: Edit, text: str = FILE) -> str:
    for old, new in edits:
        assert text.count(old) >= 1, old
        text = text.replace(old, new, 1)
    return text


TEXTS: list[tuple[str, str, str | bytes, str | bytes]] = [
    # id, part of the hint, the file, and the file after what the hint says
    ("E0002", "name the environment's YAML file, or remove content of this one", FILE + "#" * MAX_BYTES, FILE),
    ("E0002", "remove content of this one that does not", FILE + f"zz: [{'a,' * MAX_VALUES}]\n", FILE),
    ("E0002", "save it as UTF-8", edited(("ml}", "café}")).encode("latin-1"), edited(("ml}", "café}"))),
    ("E0002", "save it as UTF-8", FILE.encode("utf-16"), FILE),
    ("E0002", "name the environment's YAML file", b"\x89PNG\r\n\x1a\n\0\0\0", FILE),
    ("E0002", "remove it; with many of them", edited(("ml}", "m\0l}")), FILE),
    ("E0003", "keep one of the two sides, and remove the lines", edited(
        ("name: small", "<<<<<<< HEAD\nname: big\n=======\nname: small\n>>>>>>> theirs")), FILE),
    ("E0003", "remove this character", edited(("ml}", "m\x01l}")), FILE),
    ("E0003", "close it on the same line", edited(("name: small", 'name: "small')), FILE),
    ("E0003", "indent with spaces alone", edited(("  cidr", "\tcidr")), FILE),
    ("E0003", "put the value in quotes", edited(("owner: ml", "owner: @ml")), edited(("owner: ml", 'owner: "@ml"'))),
    ("E0003", "put the value in quotes", edited(("owner: ml", "owner: * *")), edited(("owner: ml", "owner: '* *'"))),
    ("E0003", "put the value in quotes", edited(("owner: ml", "owner: &")), edited(("owner: ml", "owner: '&'"))),
    ("E0003", "put the value in quotes", edited(("owner: ml", "owner: !<x")), edited(("owner: ml", "owner: '!<x'"))),
    ("E0003", "put the value in quotes", edited(("owner: ml", "owner: !x%z")), edited(("owner: ml", "owner: '!x%z'"))),
    ("E0003", "put the value in quotes", edited(("owner: ml", "owner: !a!b")), edited(("owner: ml", "owner: '!a!b'"))),
    ("E0003", "put the value in quotes", edited(("{owner: ml}", "? x")), edited(("{owner: ml}", "\n  owner: '? x'"))),
    ("E0003", r"write each \ twice", edited(("owner: ml", r'owner: "a\d"')), edited(("owner: ml", r'owner: "a\\d"'))),
    ("E0003", "in single quotes", edited(("owner: ml", r'owner: "a\d"')), edited(("owner: ml", r"owner: 'a\d'"))),
    ("E0003", "begin the text on the next line", edited(("{owner: ml}", "\n  owner: | ml")),
     edited(("{owner: ml}", "\n  owner: |\n    ml"))),
    *(("E0003", "remove the line that begins with %", f"{line}\n---\n{FILE}", FILE)
      for line in ("%x", "%YAML 2.0", "%YAML 1.1\n%YAML 1.1")),
    ("E0003", "begin the item on a line of its own",
     edited(("az1\n    capacity", "az1\n    sync: - x\n    capacity")), FILE),
    ("E0003", "remove the bracket or comma", edited(("usw2-az1,", "usw2-az1,,")), FILE),
    ("E0003", "put the value in quotes", edited(("owner: ml", "owner: ]")), edited(("owner: ml", "owner: ']'"))),
    ("E0003", "in the first column of its line", "  " + FILE, FILE),
    ("E0003", "remove lines that begin with % or ...", edited(("name:", "...\nname:")), FILE),
    ("E0003", "close it with ], put a comma", edited(("usw2-az2]", "usw2-az2")), FILE),
    ("E0003", "put a comma between two items", edited(("{owner: ml}", "{owner: ml team: a}")),
     edited(("{owner: ml}", "{owner: ml, team: a}"))),
    ("E0003", "and values with {, }, [, ], : or # in quotes", edited(("ml}", "m]l}")), edited(("ml}", "'m]l'}"))),
    ("E0003", "put the value in quotes where the second colon", edited(("{owner: ml}", "\n  owner: ml: a")),
     edited(("{owner: ml}", "\n  owner: 'ml: a'"))),
    ("E0003", "else write the second key below", edited(("small\n", "small, ")), FILE),
    ("E0003", "begin this line in the same column", edited(("region:", "  region:")), FILE),
    ("E0003", "end the value with its closing quote", edited(("1200", "'1200'0")), edited(("1200", "'1200'"))),
    ("E0003", "put a value that continues after it in other quotes", edited(("{owner: ml}", "\n  owner: 'ml's'")),
     edited(("{owner: ml}", '\n  owner: "ml\'s"'))),
    ("E0003", "write a key in front of the colon", edited(("region:", ":")), FILE),
    ("E0003", "nothing after its colon", edited(("homes:", "homes: x")), FILE),
    ("E0003", "nothing after its colon", edited(("storage:", "storage: x")), FILE),
    ("E0003", "begin this line in the same column", edited(("    - name: bob", "   - name: bob")), FILE),
    ("E0003", "begin this line in the same column", edited(("  availability_zones", " availability_zones")), FILE),
    ("E0003", "write KEY: VALUE", edited(("name: small", "name small")), FILE),
    ("E0003", "indent the line as part of the text above", edited(("{owner: ml}", "\n  owner: ml\nteam")),
     edited(("{owner: ml}", "\n  owner: ml\n    team"))),
    ("E0003", "type a plain space in its place", edited(("name: small", "name:\N{NO-BREAK SPACE}small")), FILE),
    ("E0003", "remove it, or", edited(("name:", "\N{ZERO WIDTH SPACE}\nname:")), FILE),
    ("E0003", "replace template placeholders", edited(("small", "{{ name }}")), FILE),
    ("E0004", "start from a file in environments/", "# nothing\n", SHIPPED.read_text()),
    ("E0004", "remove this line, or move the following text", FILE + "---\n", FILE),
    ("E0004", "move the following text to another file", f"{FILE}---\n{FILE}", FILE),
    ("E0005", "keep one", edited(("region:", "name: other\nregion:")), FILE),
    ("E0005", 'write "- " before name', edited(("    - name: bob", "      name: bob")), FILE),
    ("E0005", "keep one of each", edited(("    - name: bob", "      name: bob")), FILE[: FILE.rindex("    - name")]),
    ("E0006", "remove &one, and write the value in place of each *one",
     edited(("size_gib: 200", "size_gib: &one 200")).replace("size_gib: 200", "size_gib: *one"), FILE),
    ("E0006", "write the value that it refers to instead", edited(("size_gib: 200", "size_gib: *one")), FILE),
    ("E0006", "remove this key, and write the merged keys", edited(("name: bob", "<<: {name: bob}")), FILE),
    ("E0006", "remove the tag", edited(("1200", "!!int 1200")), FILE),
    ("E0007", "remove brackets or levels", edited(("1200", "[" * DEEPEST + "1200" + "]" * DEEPEST)), FILE),
    ("E0008", "correct these, then validate", FILE + "".join(f"k{n}: 1\n" for n in range(MAX_ERRORS + 1)), FILE),
    ("E0010", "did you mean region?", edited(("region", "regoin")), FILE),
    ("E0010", "remove it; known here: availability_zone, capacity_gib", edited(("1200", "1200\n    zz: 1")), FILE),
    ("E0010", "; remove it; known here: account, ", FILE + "karpenter: 1\n", FILE),
    ("E0010", "write network.availability_zones instead; ", edited(("  cidr", "  zones: 1\n  cidr")), FILE),
    ("E0010", "it contains a no-break space, retype it", edited(("  cidr", "  \N{NO-BREAK SPACE}cidr")), FILE),
    ("E0010", "or remove the line", FILE + STATION + "      starts: 2099-01-01T11:30:00Z\n", FILE + STATION),
    ("E0010", "write kind: reservation", FILE + STATION + RESERVATION,
     FILE + STATION.replace("on_demand", "reservation") + RESERVATION),
    ("E0012", "write KEY: VALUE lines without dashes; the first is `schema: 1`",
     "".join(f"- {line}\n" for line in FILE.splitlines() if line[0] != " "), FILE),
    ("E0012", "write KEY: VALUE lines", "schema:1\nname:small\n", FILE),
    ("E0012", "remove the line", edited(("1200", "1200\n    throughput_mbps_per_tib:")), FILE),
    ("E0013", "buy a Capacity Block: capacity: {kind: capacity_block}",
     TRAINIUM2.replace("on_demand", "training_plan") + RESERVATION,
     TRAINIUM2.replace("on_demand", "capacity_block") + RESERVATION),
    ("E0013", "it contains a zero width space; retype it", edited(("small", "small\N{ZERO WIDTH SPACE}")), FILE),
    ("E0014", "write schema: 1", edited(("schema: 1", "schema: 1.0")), FILE),
    ("E0014", "use a newer release of this toolkit, or write schema: 1", edited(("schema: 1", "schema: 2")), FILE),
]  # fmt: skip


@functools.cache
def found_in(data: str | bytes) -> tuple[Finding, ...]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "small.yaml"
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return check_environment(path, display_name="small.yaml").findings


def errors(found: tuple[Finding, ...]) -> list[str]:
    return [
        f"{each.id} {each.location.path}: {each.message}"
        for each in found
        if each.id.startswith("E") and each.id != VALUE_OF_A_TAG
    ]


@pytest.mark.hints(
    "E0002", "E0003", "E0004", "E0005", "E0006", "E0007", "E0008", "E0010", "E0011", "E0012", "E0013", "E0014"
)
@every_case("finding_id, hint, broken, mended", [pytest.param(*row, id=f"{row[0]}-{n}") for n, row in enumerate(TEXTS)])
def test_a_hint_about_the_text_leads_to_a_file_without_an_error(
    finding_id: str, hint: str, broken: str | bytes, mended: str | bytes
) -> None:
    found = [each for each in found_in(broken) if each.id == finding_id]
    assert [each for each in found if hint in each.hint], [each.hint for each in found]
    assert errors(found_in(mended)) == []


def test_a_character_that_does_not_show_is_pointed_at() -> None:
    """Where the parser gives up without a line."""
    (found,) = found_in(edited(("ml}", "m\x01l}")))
    assert (found.location.line, found.location.column) == (6, 16)


def unreadable(folder: Path) -> dict[str, Finding]:
    """Returns the findings of files that cannot be read, by their names."""
    (folder / "small.yaml").write_text(FILE)
    (folder / "folder").mkdir()
    (folder / "around").symlink_to(folder / "around")
    names = ("smal.yaml", "other.yaml", "folder", "around")
    return {name: check_environment(folder / name, display_name=name).findings[0] for name in names}


@pytest.mark.hints("E0001")
def test_a_file_that_cannot_be_read_is_one_of_another_name(tmp_path: Path) -> None:
    found = unreadable(tmp_path)
    assert {each.id for each in found.values()} == {"E0001"}
    assert {name: each.hint for name, each in found.items()} == {
        "smal.yaml": "did you mean small.yaml? name a file that exists",
        "other.yaml": "name a file that exists",
        "folder": "name a YAML file, or an environment by its name",
        "around": "name the environment's YAML file",
    }
    assert errors(check_environment(tmp_path / "small.yaml").findings) == []


CLOSED, SILENT = (OSError(number, os.strerror(number)) for number in (errno.EACCES, errno.ETIMEDOUT))
"""Root can read every file, and a pipe is silent for ten seconds: what the system says is made up here."""


def test_a_closed_file_and_a_silent_pipe_are_told_apart(tmp_path: Path) -> None:
    closed = tmp_path / "my own.yaml"
    closed.write_text(FILE)
    closed.chmod(0)
    hint = way_to_read(closed, str(closed), CLOSED)
    (command,) = re.findall(r"`(chmod [^`]+)`", hint)
    subprocess.run(shlex.split(command), check=True)
    assert closed.stat().st_mode & stat.S_IRUSR
    assert errors(check_environment(closed).findings) == []
    assert way_to_read(closed, str(closed), SILENT) == "name a file, or a pipe that a program writes to"


BROKEN_VALUES: tuple[Any, ...] = ("\0bad", ["x"], {"x": "y"}, None, "~missing~")
BEYOND_LIMITS: tuple[Any, ...] = ([], "-1", "0", "999999999", "x" * 2000, ["x"] * 300)
FIELDS = [path for path, _ in walk_fields()]


@functools.cache
def shipped() -> Any:
    return read_document(FILE, "e.yaml").tree


def with_value(pattern: str, value: Any) -> tuple[dict[str, Any], KeyPath]:
    """The shipped environment with this value of a field, in the first item of each list; and where it is."""
    tree: Any = copy.deepcopy(shipped())
    node, where = tree, ()
    *around, key = pattern.split(".")
    for section in around:
        name, empty = section.removesuffix("[]"), [{}] if section.endswith("[]") else {}
        if not isinstance(node.get(name), type(empty)):
            node[name] = empty
        node, where = node[name], (*where, name)
        if section.endswith("[]"):
            node, where = node[0], (*where, 0)
    node.pop(key, None)
    if value != "~missing~":
        node[key] = copy.deepcopy(value)
    return tree, (*where, key)


def example_of(hint: str) -> Any:
    """The value that a hint shows, as a file would have it."""
    ways = (r"For example: (.*)$", r"[Ww]rite \w+: (\{\})(?:$|, or)", r"write schema: (1)$")
    (shown,) = [found[1] for way in ways if (found := re.search(way, hint))]
    return read_document(f"key: {shown}\n", "e.yaml").tree["key"]


def shape_findings(tree: dict[str, Any], below: str) -> list[Finding]:
    found = ((each, each.location.path) for each in validate_tree(tree, SourceMap("e.yaml")).findings)
    return [each for each, path in found if path == below or path.startswith((f"{below}.", f"{below}["))]


@pytest.mark.hints("E0011", "E0012", "E0013", "E0014")
@every_case("pattern", FIELDS)
def test_the_example_in_a_hint_can_be_written_in_the_place_of_what_is_wrong(pattern: str) -> None:
    for broken in BROKEN_VALUES:
        tree, where = with_value(pattern, broken)
        for found in shape_findings(tree, format_path(where)):
            path = found.location.path
            if found.id == "E0010":
                continue
            mended, _ = with_value(pattern, broken)
            *around, key = (int(part) if part.isdigit() else part for part in re.findall(r"[^.\[\]]+", path))
            node: Any = mended
            for part in around:
                node = node[part]
            node[key] = example_of(found.hint)
            assert shape_findings(mended, path) == [], found


def test_from_the_first_key_alone_the_hints_lead_to_a_whole_file() -> None:
    """`start from … schema: 1`, says the hint about an empty file."""
    text, rounds = "schema: 1\n", 0
    while missing := [each for each in found_in(text) if each.id == "E0011"]:
        values = {each.location.path: re.search(r"For example: (.*)$", each.hint) for each in missing}
        text += "".join(f"{path}: {found[1]}\n" for path, found in values.items() if found)
        rounds += 1
    assert errors(found_in(text)) == []
    assert rounds == 1


def test_commands_that_fields_name_are_understood_and_run(capsys: pytest.CaptureFixture[str]) -> None:
    hints = [field.description or "" for _, field in walk_fields()]
    commands = sorted({command for hint in hints for command in commands_in(hint)})
    assert commands
    assert [error for command in commands if (error := command_error(command))] == []
    for command in commands:
        program, *arguments = shlex.split(command)
        assert program == "neuron-cluster"
        if arguments[0] in ("catalog", "explain"):
            assert main(arguments) == 0
            assert capsys.readouterr().out


ABOUT_NAMES = {"E0015", "E0016", "E0017", "E0018", "W0019"}
"""Followed in tests/unit/cli/test_hints_about_names.py."""
SOURCES = (
    "neuron_cluster/config/document.py",
    "neuron_cluster/config/file_text.py",
    "neuron_cluster/config/validation.py",
    "neuron_cluster/config/validation_findings.py",
    "neuron_cluster/config/file_findings.py:too_many",
    "neuron_cluster/config/file_findings.py:way_to_read",
    "neuron_cluster/config/yaml_error.py",
)
AS_THE_PARSER_SAYS_IT = "check indentation, colons and quotes on this line and the one above"
"""The hint for errors that no release of the parser has today."""


OF_EACH_TYPE = [*{repr(field.annotation): path for path, field in walk_fields()}.values()]


@pytest.mark.parametrize("fields", in_every_run([OF_EACH_TYPE, FIELDS], [OF_EACH_TYPE]), ids=["of each type", "all"])
def test_nothing_that_can_be_said_of_a_file_is_left_out(fields: list[str], tmp_path: Path) -> None:
    found = [each for _, _, broken, _ in TEXTS for each in found_in(broken)] + [*unreadable(tmp_path).values()]
    (tmp_path / "base.yaml").write_text(FILE)
    (tmp_path / "small.yaml").write_text("extends: base.yaml\nname: small\nstorage: {homes: [{name: bobb}]}\n")
    found += check_environment(tmp_path / "small.yaml").findings
    for pattern in fields:
        for broken in (*BROKEN_VALUES, *BEYOND_LIMITS):
            tree, where = with_value(pattern, broken)
            found += shape_findings(tree, format_path(where))
    assert {each.id for each in found if each.id in ROWS} == ROWS.keys() - ABOUT_NAMES
    texts = [f"{each.message}\n{each.hint}" for each in found]
    texts += [way_to_read(tmp_path, "e.yaml", error) for error in (CLOSED, SILENT)]
    assert unsaid(SOURCES, [*texts, AS_THE_PARSER_SAYS_IT]) == []
