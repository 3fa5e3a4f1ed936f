"""Options of sbatch that a job cannot have, values that Slurm does not read, and options whose effect is not known."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from neuron_cluster.catalog.slurm_options import SlurmOption, SlurmOptions
from neuron_cluster.findings.text import listed
from neuron_cluster.schedulers.slurm.jobs.finding_specs import INPUT, WITHOUT_EFFECT
from neuron_cluster.schedulers.slurm.jobs.job import Job, JobFinding, JobOptions
from neuron_cluster.schedulers.slurm.jobs.sbatch_options import mistakes
from neuron_cluster.schedulers.slurm.setting_values import allowed, newer_words, reads

OWN_OPTIONS = {
    "--partition": "--queue",
    "--nodes": "--nodes",
    **dict.fromkeys(("--gpus", "--gpus-per-node", "--gpus-per-socket", "--gpus-per-task", "--gres"), "--devices"),
    "--time": "--time",
}
"""Options of sbatch that an option of the command sets."""
ARRAY = "--array"
VARIABLES = "SBATCH_"
"""Beginning of the variables from which sbatch reads options."""


def option_findings(
    options: JobOptions, given: Mapping[str, str], row: SlurmOptions, version: str
) -> Iterator[JobFinding]:
    """Yields findings that do not depend on the place of the job. ``given``: values of options that sbatch reads."""
    for mistake in mistakes(options.scheduler_options, row, version):
        yield JobFinding(INPUT, "--sbatch", mistake.message, mistake.hint)
    for name, value in given.items():
        option = row.options[name.removeprefix("--")]
        if name in OWN_OPTIONS:
            message = f"{name} is decided by {OWN_OPTIONS[name]}"
            yield JobFinding(INPUT, "--sbatch", message, f"use {OWN_OPTIONS[name]}")
        elif option.bearing == "rejected":
            yield JobFinding(INPUT, "--sbatch", f"{name}: {option.reason}", f"remove {name}")
        elif value:
            yield from _value_findings(name, value, option, version)


def readable(values: Mapping[str, str], row: SlurmOptions) -> dict[str, str]:
    """Options whose values Slurm reads, of any version."""
    judges = {name: row.options[name.removeprefix("--")].value for name in values}
    return {
        name: value
        for name, value in values.items()
        if not value or (judge := judges[name]) is None or reads(judge, value)
    }


def exclusion_findings(
    job: Job, in_script: Mapping[str, str], given: Collection[str], row: SlurmOptions
) -> Iterator[JobFinding]:
    """Options of which sbatch reads one, one of them at least from the user (``given``)."""
    for group in row.excludes:
        names = [f"--{name}" for name in group if f"--{name}" in in_script]
        own = [name for name in names if name in given]
        if len(names) > 1 and own:
            of_script = [name for name in names if name not in given]
            where = f" ({listed(of_script)} is in the script of {job.name})" if of_script else ""
            hint = f"remove {listed(own)}" if of_script else f"keep one: {own[0]}"
            yield JobFinding(INPUT, "--sbatch", f"{listed(names)} exclude each other{where}", hint)


def effect_findings(options: JobOptions, in_script: Mapping[str, str], row: SlurmOptions) -> Iterator[JobFinding]:
    """W9462: options that depend on what the file does not have, and variables that sbatch does not see."""
    for name in in_script:
        option = row.options[name.removeprefix("--")]
        if option.bearing == "unknown":
            yield JobFinding(
                WITHOUT_EFFECT, "--sbatch", f"{name}: {option.reason}", f"remove {name} if you are not sure"
            )
    most = max(map(int, re.findall(r"[0-9]+", in_script.get(ARRAY, "").partition("%")[0])), default=0)
    if most >= row.array_indices:
        message = (
            f"{ARRAY}={in_script[ARRAY]} has an index above {row.array_indices - 1}, the highest of Slurm's default"
        )
        hint = "use lower indices, or look for MaxArraySize in the output of `scontrol show config` on a login node"
        yield JobFinding(WITHOUT_EFFECT, "--sbatch", message, hint)
    for name in options.variables:
        if name.startswith(VARIABLES):
            message = f"{name} is set in the script, and sbatch reads it before that"
            yield JobFinding(WITHOUT_EFFECT, "--variable", message, "remove it, and use --sbatch for the option")


def _value_findings(name: str, value: str, option: SlurmOption, version: str) -> Iterator[JobFinding]:
    if option.value is None:
        return
    hint = f"write {allowed(option.value, version)}"
    if not reads(option.value, value):
        yield JobFinding(INPUT, "--sbatch", f"{name} is {value!r}", hint)
    elif option.value.words and newer_words(option.value, value, version):
        yield JobFinding(INPUT, "--sbatch", f"{name} is {value!r}, which Slurm {version} does not have", hint)
