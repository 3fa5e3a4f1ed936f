"""Options of sbatch as a user writes them, and their long forms, which a script has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from neuron_cluster.findings.suggestions import did_you_mean, suggestions
from neuron_cluster.protocol.jobs import JobFinding
from neuron_cluster.schedulers.slurm.jobs.finding_specs import INPUT

SHORT = {
    "A": "account", "B": "extra-node-info", "C": "constraint", "D": "chdir", "F": "nodefile", "G": "gpus",
    "H": "hold", "J": "job-name", "L": "licenses", "M": "clusters", "N": "nodes", "O": "overcommit",
    "Q": "quiet", "S": "core-spec", "W": "wait", "a": "array", "b": "begin", "c": "cpus-per-task",
    "d": "dependency", "e": "error", "i": "input", "k": "no-kill", "m": "distribution", "n": "ntasks",
    "o": "output", "p": "partition", "q": "qos", "s": "oversubscribe", "t": "time", "v": "verbose",
    "w": "nodelist", "x": "exclude",
}  # fmt: skip
"""Names of the options that have a short form, by that. Source: SchedMD/slurm@284c3b9 src/common/slurm_opt.c."""
WITHOUT_VALUE = frozenset((
    "consolidate-segments", "contiguous", "external", "get-user-env", "hold", "ignore-pbs", "no-requeue",
    "overcommit", "oversubscribe", "parsable", "quiet", "reboot", "spread-job", "spread-segments", "stepmgr",
    "test-only", "use-min-nodes", "verbose", "wait",
))  # fmt: skip
WITH_OR_WITHOUT = frozenset((
    "exclusive", "nice", "no-kill", "oom-kill-step", "propagate", "requeue", "resv-ports",
))  # fmt: skip
WITH_VALUE = frozenset((
    "account", "acctg-freq", "array", "batch", "bb", "bbf", "begin", "chdir", "cluster", "cluster-constraint",
    "clusters", "comment", "constraint", "container", "container-id", "context", "core-spec",
    "cores-per-socket", "cpu-freq", "cpus-per-gpu", "cpus-per-task", "deadline", "delay-boot", "dependency",
    "distribution", "error", "exclude", "export", "export-file", "extra", "extra-node-info", "gid", "gpu-bind",
    "gpu-freq", "gpus", "gpus-per-node", "gpus-per-socket", "gpus-per-task", "gres", "gres-flags", "hint",
    "input", "job-name", "kill-on-invalid-dep", "licenses", "mail-type", "mail-user", "mcs-label", "mem",
    "mem-bind", "mem-per-cpu", "mem-per-gpu", "mem-update", "mincpus", "network", "nodefile", "nodelist",
    "nodes", "ntasks", "ntasks-per-core", "ntasks-per-gpu", "ntasks-per-node", "ntasks-per-socket",
    "ntasks-per-tres", "open-mode", "output", "partition", "prefer", "priority", "profile", "qos",
    "reservation", "resources", "segment", "signal", "sockets-per-node", "switches", "tasks-per-node",
    "thread-spec", "threads-per-core", "time", "time-min", "tmp", "tres-bind", "tres-per-task", "uid",
    "wait-all-nodes", "wckey", "wrap",
))  # fmt: skip
"""Of the newest Slurm; an older one rejects those that it does not have. Source: as above."""
KNOWN = WITHOUT_VALUE | WITH_OR_WITHOUT | WITH_VALUE
OF_MEMORY = ("--mem", "--mem-per-cpu", "--mem-per-gpu")
"""A job has one of them."""
OTHER_NAMES = {"tasks-per-node": "ntasks-per-node", "cluster": "clusters"}
_WORD = re.compile(r"(?:--(?P<long>[a-z][a-z-]*)|-(?P<short>[A-Za-z]))(?P<rest>[^\x00-\x1f\x7f]*)")


def long_form(option: str) -> str | None:
    """``--constraint=inf2`` of ``-C inf2``, ``-Cinf2`` and ``--const inf2``; None for what sbatch does not read."""
    found = _WORD.fullmatch(option)
    if found is None:
        return None
    rest = found["rest"]
    if found["long"] is not None:
        name, is_alone = _full_name(found["long"]), not rest or rest[0] in "= "
    else:
        name, is_alone = SHORT.get(found["short"]), True
    if name is None or not is_alone:
        return None
    value = rest[1:] if rest[:1] == " " or (found["long"] is not None and rest[:1] == "=") else rest
    if (rest == "" and name in WITH_VALUE) or (rest != "" and name in WITHOUT_VALUE) or (rest != "" and not value):
        return None
    name = OTHER_NAMES.get(name, name)
    return f"--{name}={value}" if rest else f"--{name}"


def option_values(options: Iterable[str]) -> dict[str, str]:
    """Long names and values, empty without one, of those that sbatch reads; the last of a name counts."""
    forms = (form.partition("=") for option in options if (form := long_form(option)) is not None)
    return {name: value for name, _, value in forms}


def _full_name(text: str) -> str | None:
    """sbatch reads the beginning of a name that no other one has. Source: getopt_long(3)."""
    if text in KNOWN:
        return text
    names = [name for name in KNOWN if name.startswith(text)]
    return names[0] if len(names) == 1 else None


def unread_options(options: Iterable[str]) -> Iterator[JobFinding]:
    """Those that sbatch would reject."""
    for option in options:
        if long_form(option) is None:
            name = re.split("[= ]", option.lstrip("-"), maxsplit=1)[0]
            near = did_you_mean([f"--{each}" for each in suggestions(name, KNOWN)]) if name not in KNOWN else ""
            hint = f"{near}write one option in one word, with a value if it has one: --sbatch=--array=0-2"
            yield JobFinding(INPUT, "--sbatch", f"{option!r} is not an option of sbatch", hint)
