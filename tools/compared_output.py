"""Writes what users see of a commit as JSON: ``compared_output.py PART FILES OUTPUT``, run in its checkout.

PYTHONPATH has the checkout and its tools. The program takes only interfaces that all compared commits have: the command
line, the public constructs, reader and writer of locks, the list of commands. FILES is the folder that
``compared_files.py`` has written. OUTPUT gets an object with a value for each file, command line or construct.
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from neuron_cluster.cli.main import main

CHECKOUT = Path.cwd()
DAY = "2026-11-29"
"""The day of each command that has ``--as-of``."""
BETWEEN_LINES_OF_PROGRESS = 500
JSON = ("--format", "json")
AS_OF = ("validate", "plan", "cost", "schedule", "report", "diff")
OF_ENVIRONMENTS = (
    *("validate NAME", "validate NAME --format sarif", "expand NAME", "expand NAME --format json"),
    *("plan NAME", "plan NAME --details", "plan NAME --format json", "plan NAME --scale --format json"),
    *("cost NAME", "cost NAME --format json", "images NAME", "images NAME --format json", "images NAME --commands"),
    *("schedule NAME", "schedule NAME --format json", "workload list NAME", "workload list NAME --format json"),
    *("diagram NAME", "diagram NAME --format mermaid", "report NAME --output -", "access NAME --format json"),
    *("upgrade NAME --to 2.33.0", "upgrade NAME --to 2.33.0 --format json", "upgrade NAME --to 2.31.1 --format json"),
    "storage simulate NAME --format json",
    *("synth NAME --output FOLDER/assembly", "synth NAME --format parallelcluster --output FOLDER/pcluster"),
    "init FOLDER/clusters --template NAME --name first --account 210987654321 --region us-west-2 --format json",
)
"""Command lines for each shipped environment that need no account and no network."""
OF_WORKLOADS = "render WORKLOAD NAME --format json", "render WORKLOAD NAME --format json --run run.py"
OF_TEAMS = "offboard NAME --team TEAM --format json", "onboard NAME --team TEAM --output FOLDER/pack --format json"
MUTANTS_OF_DIFF = 4
"""Mutants of each environment with which ``diff`` compares it."""
OTHERS = (
    "recommend --parameters 70B --task train --sequence-length 8192 --batch 1024 --format json",
    "recommend --model llama-3.1-8b --sequence-length 4096 --batch 32 --format json",
    "storage size --parameters 70B --framework dcp --instance-type trn1.32xlarge --nodes 32 --region us-east-2",
    *("init --list-templates --format json", "explain", "explain --format json"),
)
Dump = Iterator[tuple[str, Any]]


def answer(*arguments: str) -> dict[str, Any]:
    """Runs a command line in this process; returns its exit status or exception, its output and what it has written.

    FOLDER in the arguments is an empty folder.
    """
    out = io.StringIO()
    status: Any
    with tempfile.TemporaryDirectory() as folder:
        given = [argument.replace("FOLDER", folder) for argument in arguments]
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            try:
                status = main(given)
            except SystemExit as end:
                status = end.code
            except Exception as error:  # noqa: BLE001 - compared as any other answer
                status = f"{type(error).__name__}: {error}"
        files = {f"FOLDER/{name}": _neutral(text, folder) for name, text in _files_in(Path(folder)).items()}
    return {"status": status, "out": _neutral(out.getvalue(), folder), **files}


def _neutral(text: str, folder: str) -> str:
    return text.replace(str(CHECKOUT), "CHECKOUT").replace(folder, "FOLDER")


def _files_in(folder: Path) -> dict[str, str]:
    """Returns the text of each file, or its digest where it is no text."""
    found = {}
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        content = file.read_bytes()
        try:
            found[str(file.relative_to(folder))] = content.decode()
        except UnicodeDecodeError:
            found[str(file.relative_to(folder))] = hashlib.sha256(content).hexdigest()
    return found


def _dated(line: str) -> list[str]:
    arguments = line.split()
    return [*arguments, "--as-of", DAY] if arguments[0] in AS_OF and "--scale" not in arguments else arguments


def findings(files: Path) -> Dump:
    """Yields the findings of each environment file."""
    os.chdir(files)
    days = json.loads((files / "days.json").read_text("utf-8"))
    found = [*files.glob("[!m]*/**/*.yaml"), *files.glob("mutants/*.yaml")]
    for file in sorted(str(file.relative_to(files)) for file in found if file.parent.name not in ("locks", "bases")):
        yield file, answer("validate", file, "--as-of", days.get(file, DAY), *JSON)


def documents(files: Path) -> Dump:
    """Yields what commands print for each shipped environment, each finding, key and workload, and every help."""
    from command_parsers import commands

    environments = sorted(file.stem for file in (CHECKOUT / "environments").glob("*.yaml"))
    for name in environments:
        for line in (*OF_ENVIRONMENTS, *_of_workloads_and_teams(name)):
            yield line.replace("NAME", name), answer(*_dated(line.replace("NAME", name)))
    mutants = sorted(files.glob("mutants/*.yaml"))[: MUTANTS_OF_DIFF * len(environments)]
    for number, mutant in enumerate(mutants):
        line = f"diff {environments[number % len(environments)]} --against {mutant} --format json"
        yield line.replace(f"{files}/", ""), answer(*_dated(line))
    known = json.loads(answer("explain", *JSON)["out"])
    topics = [*known["fields"], *(spec["id"] for spec in known["finding_specs"])]
    explained = [f"explain {topic} --format json" for topic in topics]
    schemas = [f"explain --json-schema {command.name}" for command in commands() if "json" in command.formats]
    (catalog,) = (command for command in commands() if command.name == "catalog")
    (kinds,) = (argument.choices or () for argument in catalog.arguments if argument.dest == "kind")
    rows = [f"catalog {kind} --format json" for kind in kinds]
    for line in (*explained, *schemas, *rows, *(f"{command.name} --help" for command in commands()), *OTHERS):
        yield line, answer(*line.split())


def _of_workloads_and_teams(environment: str) -> Iterator[str]:
    for entry in json.loads(answer("workload", "list", environment, *JSON)["out"]):
        yield from (f"workload {line}".replace("WORKLOAD", entry["chart"]) for line in OF_WORKLOADS)
    for value in json.loads(answer("expand", environment, *JSON)["out"])["values"]:
        if re.fullmatch(r"teams\[\d+\]\.name", value["path"]):
            yield from (line.replace("TEAM", value["value"]) for line in OF_TEAMS)


def completion(_: Path) -> Dump:
    """Yields the script of each shell."""
    for shell in ("bash", "zsh", "fish"):
        yield shell, answer("completion", shell)


def constructs(_: Path) -> Dump:
    """Yields signatures and docstrings of the public constructs, and the assembly of the example app."""
    import neuron_cluster.cdk

    for name in neuron_cluster.cdk.__all__:
        construct = getattr(neuron_cluster.cdk, name)
        public = {key: member for key, member in vars(construct).items() if key == "__init__" or key[0] != "_"}
        yield name, {"doc": construct.__doc__, **{key: _described(member) for key, member in public.items()}}
    example = CHECKOUT / "docs" / "examples" / "cdk-app"
    with tempfile.TemporaryDirectory() as assembly:
        environ = {**os.environ, "CDK_OUTDIR": assembly}
        subprocess.run([sys.executable, "app.py"], cwd=example, env=environ, check=True)
        for name, text in _files_in(Path(assembly)).items():
            yield f"example: {name}", text.replace(str(CHECKOUT), "CHECKOUT")


def _described(member: Any) -> Any:
    function = getattr(member, "fget", member)
    return [str(inspect.signature(function)) if callable(function) else repr(member), inspect.getdoc(member)]


def wheel(_: Path) -> Dump:
    """Yields the name of each file of the wheel that is no module, and its content."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
        subprocess.run([*command, "--wheel-dir", folder, str(CHECKOUT)], check=True)
        (built,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(built) as archive:
            for name in archive.namelist():
                if not name.endswith((".py", "/RECORD")):
                    yield name, archive.read(name).decode(errors="replace")


def locks(files: Path) -> Dump:
    """Yields each lock after it was read and written, and whether the bytes are those of the file."""
    from neuron_cluster.lock.reader import load_lock
    from neuron_cluster.lock.writer import lock_text, sources_in

    for file in sorted(files.rglob("locks/*.yaml")):
        text = file.read_text("utf-8")
        again = (re.findall("Written by `(.*?)`", text) or [""])[0]
        loaded = load_lock(file, display_name=file.name, again=again)
        written = lock_text(loaded.lock, sources_in(text), again) if loaded.lock is not None else str(loaded.findings)
        yield str(file.relative_to(files)), {"is_equal": written == text, "written": written}


PARTS: dict[str, Callable[[Path], Dump]] = {
    "findings": findings,
    "documents": documents,
    "completion": completion,
    "constructs": constructs,
    "wheel": wheel,
    "locks": locks,
}


def run(arguments: Sequence[str]) -> None:
    """Writes the output of a part; prints progress on standard error."""
    part, files, output = arguments
    if not Path(inspect.getfile(main)).is_relative_to(CHECKOUT):
        sys.exit(f"{CHECKOUT} has no neuron_cluster.cli.main; another one is installed")
    found: dict[str, Any] = {}
    for name, value in PARTS[part](Path(files)):
        found[name] = value
        if len(found) % BETWEEN_LINES_OF_PROGRESS == 0:
            print(f"  {len(found):,}", file=sys.stderr, flush=True)
    Path(output).write_text(json.dumps(found), "utf-8")


if __name__ == "__main__":
    run(sys.argv[1:])
