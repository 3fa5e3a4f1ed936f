"""The five commonest failures of a team on a Slurm cluster, for its runbook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.pages.document import Commands, Paragraph, Section
from neuron_cluster.schedulers.slurm.team_pages.first_jobs import JOB
from neuron_cluster.schedulers.slurm.team_pages.login_section import RUN_AS_TAG, SESSION_DOCUMENT
from neuron_cluster.table import Table

if TYPE_CHECKING:
    from neuron_cluster.schedulers.slurm.cluster import SlurmCluster
    from neuron_cluster.schedulers.slurm.node_start_plan import PosixUser

ASK = "ask the contact of the page"


def failure_sections(slurm: SlurmCluster, user: PosixUser) -> tuple[Section, ...]:
    return (
        Section("1. No session starts", (_sessions(user),)),
        Section("2. A job is pending", (_reason_command(), _reasons())),
        Section("3. A job ended", (_end_commands(slurm), _ends())),
        Section("4. Each start compiles again", _cache(slurm)),
        Section("5. A step sees no Neuron device", _devices()),
    )


def _sessions(user: PosixUser) -> Table:
    rows = (
        (
            "`LOGIN` is `None`, or ends with it",
            "no login node runs: it is being replaced",
            "wait some minutes, then find it again",
        ),
        (
            "`AccessDeniedException`",
            f"the role may not open sessions with the document {SESSION_DOCUMENT}",
            f"{ASK}: the policy of the role",
        ),
        (
            "the session ends at once",
            f"the role has no tag `{RUN_AS_TAG}`, or the node has no user `{user.name}` yet",
            f"{ASK}: the tag, and a deploy with the team",
        ),
        (
            "`whoami` prints `ssm-user`",
            "the session was opened without `--document-name`",
            f"end it, and name {SESSION_DOCUMENT}",
        ),
    )
    return Table("Signs", ("sign", "meaning", "what to do"), rows)


def _reason_command() -> Commands:
    return Commands(('squeue --me --format="%.10i %.9P %.12j %.2t %.10M %R"', "sinfo", f"scontrol show job {JOB}"))


def _reasons() -> Table:
    """Names of reasons. Source: https://slurm.schedmd.com/job_reason_codes.html"""
    rows = (
        ("`Resources`, `Priority`", "all nodes that fit are in use, or other jobs are before it", "wait"),
        ("state CF", "nodes are starting for the job", "wait some minutes"),
        (
            "`PartitionTimeLimit`",
            "the time limit is longer than `MaxTime` of the queue",
            f"`scontrol update JobId={JOB} TimeLimit=60`",
        ),
        (
            "`PartitionNodeLimit`, `BadConstraints`",
            "it requests more nodes or devices than the queue has",
            "submit it with fewer",
        ),
        (
            "`Assoc…Limit`, such as `AssocGrpGRES`",
            "the account of the team has used its limit",
            f"wait for jobs of the team, or {ASK}",
        ),
        ("`Nodes required for job are DOWN, DRAINED or reserved`", "nodes failed, or a block has not started", ASK),
    )
    return Table("Reasons", ("reason", "meaning", "what to do"), rows)


def _end_commands(slurm: SlurmCluster) -> Commands:
    past = (
        (f"sacct --jobs={JOB} --format=JobID,State,ExitCode,MaxRSS,Elapsed,NodeList",) if slurm.has_accounting else ()
    )
    return Commands((*past, f"tail -n 100 *-{JOB}.log"))


def _ends() -> Table:
    rows = (
        ("`OUT_OF_MEMORY`", "the job exceeded its memory", "request more with `--mem`, or whole nodes"),
        ("`TIMEOUT`", "the time limit was over", "raise `--time`; keep checkpoints"),
        ("`NODE_FAIL`", "a node ended; the job waits in the queue again", "nothing: it starts from its checkpoint"),
        (
            "an allocation error of the Neuron runtime (`nrt`, `NRT_RESOURCE`)",
            "model, activations or KV cache do not fit the memory of a core",
            "divide the model over more cores, or lower batch size and sequence length",
        ),
    )
    return Table("Which one", ("sign", "meaning", "what to do"), rows)


def _cache(slurm: SlurmCluster) -> tuple[Paragraph, ...]:
    text = (
        "Compiled graphs are found again by program, shapes, compiler version and flags: another batch size, sequence "
        "length or number of cores compiles anew. `Using a cached neff` in the log means that a graph was found."
    )
    where = (
        "Jobs have a cache in `NEURON_COMPILE_CACHE_URL`: do not set another one."
        if slurm.login.start.node.compile_cache
        else "The environment has no shared cache (`storage.compile_cache`): set `NEURON_COMPILE_CACHE_URL` to a "
        "folder that all nodes see."
    )
    return Paragraph(text), Paragraph(where)


def _devices() -> tuple[Paragraph, Commands]:
    text = (
        "A step has the devices that the job requests with `--gpus` or `--gpus-per-node`, and no others. "
        "`NEURON_RT_VISIBLE_CORES` lists the NeuronCores: do not set it."
    )
    return Paragraph(text), Commands((f"scontrol show job {JOB} --details",))
