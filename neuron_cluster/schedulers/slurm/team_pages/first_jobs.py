"""The first jobs of a member."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from neuron_cluster.pages.document import Paragraph, Section, Steps
from neuron_cluster.protocol.team_pages import MissingScript, StarterScript
from neuron_cluster.schedulers.slurm.team_pages.files_section import shared_folder

if TYPE_CHECKING:
    from neuron_cluster.schedulers.slurm.cluster import SlurmCluster
    from neuron_cluster.schedulers.slurm.node_start_plan import PosixUser

JOB = "JOB"
"""The id of a job in commands, which a member fills in."""
JOB_NAME = "#SBATCH --job-name="
"""Scripts of the toolkit have it in the name of their log."""
NEURON_LS = "/opt/aws/neuron/bin/neuron-ls"


def first_jobs_section(
    slurm: SlurmCluster, user: PosixUser, scripts: Sequence[StarterScript | MissingScript]
) -> Section:
    return Section("First job", tuple(_blocks(slurm, shared_folder(slurm, user), scripts)))


def _blocks(
    slurm: SlurmCluster, folder: str | None, scripts: Sequence[StarterScript | MissingScript]
) -> Iterator[Paragraph | Steps]:
    made = [each for each in scripts if isinstance(each, StarterScript)]
    if not made:
        return
    starts = " A job whose nodes do not run yet waits some minutes for them, in the state CF."
    yield Paragraph(
        f"Run these commands in a session on a login node. Replace {JOB} by the id that `sbatch` prints."
        + (starts if slurm.idle_seconds is not None else "")
    )
    submissions = (_submission(each, folder) for each in made)
    yield Steps((_devices(slurm, made[0]), *_working_folder(folder), *submissions, _states(slurm)))


def _devices(slurm: SlurmCluster, first: StarterScript) -> tuple[str, tuple[str, ...]]:
    chip = next(group.gres.chip for group in slurm.groups if group.name == first.group and group.gres is not None)
    run = f"srun --partition={first.queue} --nodes=1 --gpus-per-node={chip}:1 --time=15 {NEURON_LS}"
    return "List one Neuron device of a node.", (run,)


def _working_folder(folder: str | None) -> Iterator[tuple[str, tuple[str, ...]]]:
    """A job runs in the folder from which it was submitted, and has its log there."""
    if folder is not None:
        yield "Work in a folder that all nodes see.", (f"mkdir -p {folder} && cd {folder}",)


def _submission(script: StarterScript, folder: str | None) -> tuple[str, tuple[str, ...]]:
    name = PurePosixPath(script.file_name).name
    note = f" Before it starts: {script.note}." if script.note else ""
    submit = (f"cat > {name}", f"sbatch {name}")
    text = f"Submit [{script.file_name}]({script.file_name}): paste its text behind the first command, then Ctrl-D."
    if folder is None:
        return f"{text}{note} Its log is on its first node alone, and ends with the node.", submit
    log = next(line.rpartition("=")[2] for line in script.text.splitlines() if line.startswith(JOB_NAME))
    return f"{text}{note}", (*submit, f"tail -f {log}-{JOB}.log")


def _states(slurm: SlurmCluster) -> tuple[str, tuple[str, ...]]:
    past = (f"sacct --jobs={JOB} --format=JobID,State,ExitCode,Elapsed",) if slurm.has_accounting else ()
    return "Look at your jobs, and end one.", ("squeue --me", f"scontrol show job {JOB}", *past, f"scancel {JOB}")
