"""Adds settings to slurm.conf, and the Neuron devices of nodes that have announced them; then Slurm reads the files.

Run on the controller each 20 seconds; it writes nothing that is written already. HyperPod writes ClusterName,
SlurmctldHost, NodeName and PartitionName, keeps what others add, and does not write Gres of Neuron nodes.

Sources: https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-scaling-slurm.html (merge mode);
https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-lifecycle-best-practices-slurm.html
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

BEGIN, END = "# Begin of neuron-cluster: written again when it is edited", "# End of neuron-cluster"
BLOCK = re.compile(f"\n*{re.escape(BEGIN)}\n.*?{re.escape(END)}\n", re.DOTALL)
NODE_LINE = re.compile(r"^\s*NodeName=(\S+)(.*)$", re.IGNORECASE)
GRES = re.compile(r"\s+Gres=\S+", re.IGNORECASE)
ANNOUNCED = re.compile(r"\bNodeName=(\S+).* Comment=neuron-cluster:([a-z]+:[a-z0-9]+:[0-9]+|none)\b")
ITEM = re.compile(r"(?:[^,\[]|\[[^\]]*\])+")
NONE = "none"
"""The announcement of a node that has the name of a former one, and no Neuron devices."""
LISTS = ("PrologFlags", "SchedulerParameters")


def main(file: Path) -> None:
    """``file`` has the folder of Slurm, the settings, the path of devices without their number, and commands."""
    given = json.loads(file.read_text(encoding="utf-8"))
    folder = Path(given["folder"])
    gres = announced(run(given["show_nodes"]))
    records, conf = folder / "gres.conf", folder / "slurm.conf"
    before = {path: text_of(path) for path in (records, conf)}
    after = {
        records: with_block(before[records], list(record_lines(gres, given["devices"]))),
        conf: with_block(with_gres(before[conf], gres), settings_lines(given["settings"], before[conf])),
    }
    unread = folder / ".neuron-cluster-unread"  # stays until Slurm has read the files, whatever fails before
    if after != before:
        unread.touch()
        for path, text in after.items():
            write(path, text)
    if unread.exists():
        # Daemons start again with what they read, and jobs go on: SchedMD/slurm@3372b58 CHANGELOG/slurm-23.11.md.
        run(given["reconfigure"])
        unread.unlink()


def run(command: Sequence[str]) -> str:
    """Raises ``CalledProcessError`` where it ends with another status than 0."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603 - of the file


def announced(shown: str) -> dict[str, str]:
    """Value of Gres by node, of `scontrol --oneliner show node`."""
    found = (ANNOUNCED.search(line) for line in shown.splitlines())
    return {each[1]: each[2] for each in found if each is not None}


def record_lines(gres: Mapping[str, str], devices: str) -> Iterator[str]:
    """Yields a line of gres.conf for each value that nodes have announced, such as ``gpu:trainium:16``."""
    for value in sorted(set(gres.values()) - {NONE}):
        name, kind, count = value.split(":")
        nodes = sorted(node for node, each in gres.items() if each == value)
        numbers = f"[0-{int(count) - 1}]" if int(count) > 1 else "0"
        files = f"File={devices}{numbers} Flags=no_gpu_env"
        yield f"NodeName={','.join(nodes)} Name={name} Type={kind} Count={count} {files}"


def settings_lines(settings: Mapping[str, str], text: str) -> list[str]:
    """Slurm takes the last value of a name: those of lists have what the file has already."""
    others = BLOCK.sub("\n", text)
    return [f"{name}={_joined(name, value, others) if name in LISTS else value}" for name, value in settings.items()]


def _joined(name: str, value: str, text: str) -> str:
    found = re.findall(rf"^\s*{name}\s*=\s*(\S+)", text, re.IGNORECASE | re.MULTILINE)
    values = found[-1].split(",") if found else []
    return ",".join(dict.fromkeys([*filter(None, values), *value.split(",")]))


def with_block(text: str, lines: Sequence[str]) -> str:
    """The text with these lines at its end, as the only ones of this program."""
    others = BLOCK.sub("\n", text)
    return "\n".join([others.rstrip("\n"), "", BEGIN, *lines, END, ""]) if lines else others


def with_gres(text: str, gres: Mapping[str, str]) -> str:
    """The text, where the lines of nodes have the devices that they have announced."""
    return "".join(_with_gres(line, gres) for line in text.splitlines(keepends=True))


def _with_gres(line: str, gres: Mapping[str, str]) -> str:
    found = NODE_LINE.match(line)
    values = {gres.get(node) for node in expanded(found[1])} if found is not None else set()
    value = values.pop() if len(values) == 1 else None  # a line of nodes that differ stays
    if found is None or value is None:
        return line
    return f"NodeName={found[1]}{GRES.sub('', found[2]).rstrip()}{f' Gres={value}' if value != NONE else ''}\n"


def expanded(names: str) -> list[str]:
    """The nodes of a list such as ``ip-10-1-2-[3-5,9],ip-10-1-3-7``."""
    return [node for item in ITEM.findall(names) for node in _expanded(item)]


def _expanded(item: str) -> Iterator[str]:
    head, bracket, ranges = item.rstrip("]").partition("[")
    if not bracket:
        yield item
        return
    for part in ranges.split(","):
        first, _, last = part.partition("-")
        for number in range(int(first), int(last or first) + 1):
            yield f"{head}{number:0{len(first)}d}"


def text_of(path: Path) -> str:
    """Empty where the file is not there."""
    return path.read_text(encoding="utf-8") if path.exists() else ""


def write(path: Path, text: str) -> None:
    """No other program reads a part of it, and it keeps its owner and mode."""
    if text == text_of(path):
        return
    made = path.with_name(f".{path.name}.neuron-cluster")
    made.write_text(text, encoding="utf-8")
    if path.exists():
        found = path.stat()
        made.chmod(found.st_mode & 0o7777)
        os.chown(made, found.st_uid, found.st_gid)
    made.replace(path)


if __name__ == "__main__":
    main(Path(__file__).with_suffix(".json"))
