"""Runs hostile command lines: `python tests/fuzz/fuzz_command_lines.py --seed 1 --cases 1000`.

Each must end with an exit status of the documentation, without a traceback and without control characters. Verbs that
would synthesize, build or serve get no environment that exists; no call reaches anything but a closed port.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import shlex
import shutil
import sys
import tempfile
import traceback
from pathlib import Path
from random import Random

from limits import ROOT, bounded, finish

from neuron_cluster.cli.main import VERBS, build_parser, main

NEVER_WITH_A_FILE = {"synth", "diff", "deploy", "destroy", "images", "workload", "local", "lock", "upgrade", "capacity"}
"""Verbs that start programs, write or connect once the environment can be read."""
NEVER_ALONE = {"local", "setup"}
"""Verbs that do not end by themselves, or install something."""
ODD_WORDS = [
    *[
        "",
        "-",
        "--",
        "---",
        "-1",
        "0",
        "9" * 40,
        "a" * 5_000,
        "/",
        ".",
        "..",
        "../../etc/passwd",
        "/dev/null",
        "/dev/zero",
    ],
    *["\x1b[2J", "\u202e", "\x9b31m", "\udcff", "ÿ", "😀", "%s", "{0}", "$(id)", "`id`", "a;b", "a\nb", "*", "~"],
    *[
        "train-trn",
        "TRAIN-TRN1",
        "train-trn1.yaml",
        "no/such.yaml",
        "eks..x",
        "eks.node_groups[",
        "E9999",
        "E300",
        "[0]",
    ],
    *[
        "json",
        "text",
        "trn1.32xlarge",
        "us-west-2",
        "2.33.0",
        "1e9",
        "7d",
        "-7d",
        "1.5",
        "true",
        "a=b",
        "=",
        "a.b[0]=1",
    ],
]
REAL_WORDS = [
    "train-trn1",
    "dev-inf2",
    "workstation",
    "E3001",
    "W3011",
    "eks.node_groups.capacity",
    "instances",
    "chips",
]
OWN_FOLDERS = {".local", "running"}
"""Where a command that would change an environment holds its lock (``deploy/only_command.py``)."""
STATUSES = {0, 1, 2}


def options_of(verb: str) -> list[str]:
    """Option strings of a verb, those of its own verbs included."""
    parsers = [action.choices[verb] for action in build_parser(verb)._actions if isinstance(action.choices, dict)]
    found = []
    while parsers:
        for action in parsers.pop()._actions:
            found += action.option_strings
            if isinstance(action.choices, dict):
                found += list(action.choices)
                parsers += list(action.choices.values())
    return sorted({*found} - {"--serve"})


def command_line(random: Random, options: dict[str, list[str]]) -> list[str]:
    verb = random.choice([*VERBS, random.choice(ODD_WORDS)])
    words = ODD_WORDS if verb in NEVER_WITH_A_FILE else [*ODD_WORDS, *REAL_WORDS, *REAL_WORDS]
    count = random.randint(1 if verb in NEVER_ALONE else 0, 5)
    rest = [random.choice(words if random.random() < 0.6 else options.get(verb, words)) for _ in range(count)]
    if verb in NEVER_ALONE:
        rest.append("--no-such-option")
    return [verb, *rest]


def flaw(status: int, text: str) -> str | None:
    if status not in STATUSES:
        return f"exit status {status}"
    if "Traceback" in text:
        return "a traceback"
    odd = next((c for c in text if not c.isprintable() and c not in "\n\t"), None)
    return f"the control character {odd!r}" if odd else None


def run(arguments: list[str]) -> str | None:
    written = io.BytesIO()
    stream = io.TextIOWrapper(written, encoding="utf-8", errors="backslashreplace", write_through=True)
    before = sys.stdout, sys.stderr, sys.stdin
    sys.stdout = sys.stderr = stream
    sys.stdin = io.StringIO("")
    try:
        with bounded():
            status = main(arguments)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except BaseException:  # noqa: BLE001 - whatever it raises is the failure
        return traceback.format_exc(limit=-4)
    finally:
        sys.stdout, sys.stderr, sys.stdin = before
    return flaw(status, written.getvalue().decode(errors="replace"))


def prepare(folder: Path) -> None:
    """A project of its own, no credentials, and an endpoint at which nothing listens."""
    shutil.copytree(ROOT / "environments", folder / "environments")
    shutil.copy(ROOT / "cdk.json", folder)
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        del os.environ[name]
    os.environ |= {
        "HOME": str(folder),
        "AWS_ENDPOINT_URL": "http://127.0.0.1:1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_MAX_ATTEMPTS": "1",
        "AWS_DEFAULT_REGION": "us-west-2",
    }
    os.chdir(folder)


def fuzz() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=1000)
    asked = parser.parse_args()
    options, failures = {verb: options_of(verb) for verb in VERBS}, []
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder))
        before = sorted(path.name for path in Path(folder).rglob("*"))
        for case in range(asked.cases):
            arguments = command_line(Random(f"{asked.seed}-{case}"), options)  # noqa: S311 - to be repeated
            if found := run(arguments):
                failures.append(f"case {asked.seed}-{case}: {shlex.join(arguments)[:300]}: {found}")
        written = sorted({path.name for path in Path(folder).rglob("*")} - {*before, *OWN_FOLDERS})
        os.chdir(ROOT)
    if written:
        failures.append(f"files were written: {json.dumps(written)}")
    return finish(asked.cases, failures)


if __name__ == "__main__":
    sys.exit(fuzz())
