"""Compares what users see of two commits; for proof that a refactoring changes nothing.

    python tools/compare_commits.py BASE [HEAD] [--mutants 2000] [--only PART ...] [--messages]

BASE and HEAD (default: HEAD of this checkout) are checked out as worktrees in a temporary folder; uncommitted changes
are not compared. The same program, tools/compared_output.py, runs with the modules of each, one after the other.
Worktrees and folder are removed at the end, also after Ctrl-C. Parts, and what is compared:

    findings     id, file, line and severity of each finding, and the exit status of `validate`: environments and
                 fixtures of BASE, cases of its rules, and mutated environments (tools/compared_files.py)
    documents    standard output and written files of commands for each shipped environment, byte for byte: JSON, text,
                 pictures, assemblies with their assets, packs of teams, repositories of `init`; what `explain`,
                 `catalog` and --help print
    completion   the script of each shell
    constructs   signatures and docstrings of neuron_cluster.cdk, and the assembly of docs/examples/cdk-app
    wheel        names and content of files that are no Python modules; a file that only moved is equal
    locks        locks of environments and of rule cases, read and written again

The first difference of each file, command line or construct is printed with both sides. Exit status 1 for a
difference, 2 for a commit that does not exist or a program that fails, 130 after Ctrl-C. On two cores findings take two
minutes, documents ten and a gigabyte of memory, the others two together.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

TOOLS = Path(__file__).parent
PARTS = ("findings", "documents", "completion", "constructs", "wheel", "locks")
OF_FILES = {"findings", "documents", "locks"}
"""Parts that read the files of tools/compared_files.py."""
COMPARED = ("id", "file", "line", "severity")
SHOWN_CHARACTERS = 300
PASSED_ON = ("LANG", "TMPDIR")
ABSENT = "(absent)"


class Difference(Struct, frozen=True):
    """A place in the output of both commits, and what each has there."""

    place: str
    base: str
    head: str


def compared(part: str, base: Mapping[str, Any], head: Mapping[str, Any], keys: Sequence[str]) -> Iterator[Difference]:
    """Yields a difference for each entry that is not equal; ``keys`` are those of a finding that are compared."""
    if part == "wheel":
        base, head = without_moved_files(base, head)
    for name in sorted(base.keys() | head.keys()):
        if part == "findings":
            sides = [findings_of(side.get(name), keys) for side in (base, head)]
            found = [sorted((side - other).elements()) for side, other in (sides, sides[::-1])]
            if any(found):
                yield Difference(name, *("\n".join(lines) or "(nothing else)" for lines in found))
        else:
            yield from itertools.islice(
                differences(name, _parsed(base.get(name, ABSENT)), _parsed(head.get(name, ABSENT))), 1
            )


def findings_of(answer: Mapping[str, Any] | None, keys: Sequence[str]) -> Counter[str]:
    """Returns the compared values of each finding, and the exit status, as lines."""
    if answer is None:
        return Counter([ABSENT])
    try:
        found = json.loads(answer["out"])["findings"]
    except ValueError:
        found = []
    return Counter([f"exit status {answer['status']}", *(" ".join(str(each[key]) for key in keys) for each in found)])


def differences(place: str, base: Any, head: Any) -> Iterator[Difference]:
    """Yields the innermost differences of two JSON values, and the first lines that differ of two texts."""
    if base == head:
        return
    if isinstance(base, dict) and isinstance(head, dict):
        pairs = [(f"{place}: {key}", base.get(key, ABSENT), head.get(key, ABSENT)) for key in {**base, **head}]
    elif isinstance(base, list) and isinstance(head, list):
        both = itertools.zip_longest(base, head, fillvalue=ABSENT)
        pairs = [(f"{place}[{position}]", *values) for position, values in enumerate(both)]
    elif isinstance(base, str) and isinstance(head, str) and "\n" in base + head:
        both = itertools.zip_longest(base.split("\n"), head.split("\n"), fillvalue=ABSENT)
        pairs = [(f"{place}: line {number}", *lines) for number, lines in enumerate(both, 1)]
    else:
        yield Difference(place, str(base), str(head))
        return
    for inner in pairs:
        yield from differences(*inner)


def without_moved_files(base: Mapping[str, str], head: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Returns both without the files that have another name and the same content: their module moved."""
    only_base, only_head = (
        {name: one[name] for name in one.keys() - other} for one, other in ((base, head), (head, base))
    )
    moved = set(only_base.values()) & set(only_head.values())
    kept = [
        {name: text for name, text in side.items() if name not in only or text not in moved}
        for side, only in ((base, only_base), (head, only_head))
    ]
    return kept[0], kept[1]


def _parsed(value: Any) -> Any:
    """Returns an answer with its JSON document first, whose differences have a path; the text is compared too."""
    with contextlib.suppress(ValueError, KeyError, TypeError):
        return {"document": json.loads(value["out"]), **value}
    return value


@contextlib.contextmanager
def worktree(repository: Path, folder: Path, commit: str) -> Iterator[Path]:
    """A checkout of the commit in ``folder``, which is removed at the end of the block."""
    try:
        git(repository, "worktree", "add", "--quiet", "--detach", str(folder), commit)
        yield folder
    finally:
        with contextlib.suppress(subprocess.CalledProcessError):  # it was not added
            git(repository, "worktree", "remove", "--force", str(folder))


def git(repository: Path, *arguments: str) -> str:
    """Returns what git prints. Raises ``CalledProcessError`` when it fails."""
    ran = subprocess.run(["git", "-C", str(repository), *arguments], capture_output=True, text=True, check=True)
    return ran.stdout.strip()


class Comparison:
    """Both worktrees, and the folder next to them with the compared files and what the programs write."""

    def __init__(self, folder: Path, checkouts: Mapping[str, Path]) -> None:
        self._folder, self._checkouts = folder, checkouts
        self.files = folder / "files"
        (folder / "home").mkdir()

    def write_files(self, mutants: int, seed: int) -> None:
        """Writes the environment files that both commits read."""
        self._run("base", "compared_files.py", str(self.files), str(mutants), str(seed))

    def output(self, part: str) -> list[dict[str, Any]]:
        """Returns what each commit has for a part."""
        found = []
        for side in self._checkouts:
            progress(f"{part} of {side}")
            file = self._folder / f"{part}-{side}.json"
            self._run(side, "compared_output.py", part, str(self.files), str(file))
            found.append(json.loads(file.read_text("utf-8")))
        return found

    def _run(self, side: str, program: str, *arguments: str) -> None:
        """Runs a program next to this one with the modules of a commit. Raises ``CalledProcessError``."""
        checkout = self._checkouts[side]
        environ = {
            **{name: os.environ[name] for name in PASSED_ON if name in os.environ},
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]),
            "PYTHONPATH": os.pathsep.join([str(checkout), str(checkout / "tools")]),
            "HOME": str(self._folder / "home"),
            "COLUMNS": "100",
            "PYTHONHASHSEED": "0",
            "CDK_VALIDATION": "false",
        }
        command = [sys.executable, "-P", str(TOOLS / program), *arguments]
        subprocess.run(command, cwd=checkout, env=environ, stdin=subprocess.DEVNULL, check=True)


def progress(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def show(part: str, number: int, found: Sequence[Difference], most: int) -> None:
    """Prints the first differences of a part, and its summary."""
    for difference in found[:most]:
        print(f"{part}: {difference.place}\n  base: {_short(difference.base)}\n  head: {_short(difference.head)}")
    rest = f", of which {most} are shown" if len(found) > most else ""
    print(f"{part}: {number:,} compared, {len(found):,} different{rest}", flush=True)


def _short(text: str) -> str:
    indented = text.replace("\n", "\n        ")
    return indented if len(indented) <= SHOWN_CHARACTERS else f"{indented[:SHOWN_CHARACTERS]} …"


def compare(options: argparse.Namespace) -> int:
    """Compares the parts and prints the differences; returns the exit status."""
    commits = {"base": options.base, "head": options.head}
    keys = (*COMPARED, "message", "hint") if options.messages else COMPARED
    total = 0
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="compare-commits-"))).resolve()
        checkouts = {
            side: stack.enter_context(worktree(options.repository, folder / side, commit))
            for side, commit in commits.items()
        }
        comparison = Comparison(folder, checkouts)
        if OF_FILES & set(options.only):
            progress(f"environment files of base, with {options.mutants:,} mutants")
            comparison.write_files(options.mutants, options.seed)
        for part in options.only:
            base, head = comparison.output(part)
            found = list(compared(part, base, head, keys))
            show(part, len(base.keys() | head.keys()), found, options.show)
            total += len(found)
    print(f"{total:,} differences" if total else "no difference")
    return 1 if total else 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", metavar="BASE", help="the earlier commit")
    parser.add_argument("head", metavar="HEAD", nargs="?", default="HEAD", help="the later commit (default: HEAD)")
    parser.add_argument("--mutants", type=int, default=2000, metavar="N", help="mutated files (default: 2000)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="another seed has other mutants (default: 1)")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--messages", action="store_true", help="compare message and hint of findings too")
    parser.add_argument("--show", type=int, default=20, metavar="N", help="differences shown of a part (default: 20)")
    parser.add_argument("--repository", type=Path, default=TOOLS.parent, metavar="DIR", help="default: this checkout")
    options = parser.parse_args(arguments)
    for number in (signal.SIGINT, signal.SIGTERM):  # a shell starts background commands with SIGINT ignored
        signal.signal(number, signal.default_int_handler)
    try:
        return compare(options)
    except subprocess.CalledProcessError as error:
        print(f"error: {error}\n{error.stderr or ''}".rstrip(), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
