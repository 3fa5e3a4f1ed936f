"""A job script with its options, and the commands that submit it."""

from __future__ import annotations

import base64
import json
import shlex
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from neuron_cluster.bootstrap.mounts import NODE_LUSTRE
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.submission import NodeCommand, SessionCommand
from neuron_cluster.schedulers.slurm.cluster import SlurmCluster
from neuron_cluster.schedulers.slurm.jobs.finding_specs import GROUP
from neuron_cluster.schedulers.slurm.jobs.frameworks import framework_warnings, job_host, python_environment
from neuron_cluster.schedulers.slurm.jobs.inputs import credential_findings, input_findings, variable_findings
from neuron_cluster.schedulers.slurm.jobs.job import Job, JobFinding, JobOptions, RenderedJob
from neuron_cluster.schedulers.slurm.jobs.known_jobs import (
    DIRECTIVE,
    VIRTUAL_ENVIRONMENT,
    bundled_options,
    bundled_script,
    script_name,
)
from neuron_cluster.schedulers.slurm.jobs.node_choice import choice_findings
from neuron_cluster.schedulers.slurm.jobs.node_resources import node_amounts, resource_findings, uncertain_amounts
from neuron_cluster.schedulers.slurm.jobs.node_share import node_share
from neuron_cluster.schedulers.slurm.jobs.option_findings import (
    effect_findings,
    exclusion_findings,
    option_findings,
    readable,
)
from neuron_cluster.schedulers.slurm.jobs.placement import Placement, other_nodes, place
from neuron_cluster.schedulers.slurm.jobs.sbatch_options import OF_MEMORY, option_values
from neuron_cluster.schedulers.slurm.jobs.task_layout import layout_findings
from neuron_cluster.schedulers.slurm.jobs.time_findings import time_findings

RESULT = "--query '[StatusDetails,StandardOutputContent,StandardErrorContent]'"
JOB_ID = r"^(?:Submitted batch job )?([0-9]+)(?: on cluster \S+|;\S+)?$"
"""The output of sbatch: a sentence, or with ``--parsable`` the id, and the cluster after a semicolon."""


class PlacedJob(Struct, frozen=True, kw_only=True):
    """A job without errors. ``options`` has those of sbatch in their long form."""

    job: Job
    plan: ClusterPlan
    slurm: SlurmCluster
    options: JobOptions
    placement: Placement
    directives: tuple[str, ...]
    in_script: Mapping[str, str]
    """Options of sbatch that the script has in the end."""


def render_job(
    job: Job, plan: ClusterPlan, slurm: SlurmCluster | None, catalog: Catalog, options: JobOptions
) -> RenderedJob:
    """Returns the job; script and commands are empty where a finding is an error, as without a Slurm cluster."""
    placed = place_job(job, plan, slurm, catalog, options)
    return render_placed(placed, catalog) if isinstance(placed, PlacedJob) else _without(job, placed)


def place_job(
    job: Job, plan: ClusterPlan, slurm: SlurmCluster | None, catalog: Catalog, options: JobOptions
) -> PlacedJob | tuple[JobFinding, ...]:
    """The errors where it has any, as without a Slurm cluster in the environment."""
    if slurm is None:
        message = f"{plan.name} has no slurm section, and {job.name} is a job of Slurm"
        return (JobFinding(GROUP, "NAME", message, "name an environment with the section slurm"),)
    row = catalog.slurm_options["sbatch"]
    given = option_values(options.scheduler_options, row, slurm.version)
    errors = (*input_findings(job, options), *option_findings(options, given, row, slurm.version))
    options = replace(
        options, scheduler_options=tuple(f"{name}={value}" if value else name for name, value in given.items())
    )
    placed = place(job, plan, slurm, options, catalog)
    if not isinstance(placed, Placement):
        return (*placed, *errors, *variable_findings(job, None, options))
    directives = _directives(job, placed, catalog, options)
    in_script = _values(job, directives) | given
    errors += (*variable_findings(job, placed.group, options), *exclusion_findings(job, in_script, given, row))
    in_script = readable(in_script, row)
    has_whole_nodes = placed.queue.has_whole_nodes or in_script.get("--exclusive") == ""
    errors += (
        *time_findings(placed.queue, in_script),
        *resource_findings(placed, in_script, has_whole_nodes, catalog),
        *layout_findings(placed, in_script),
        *choice_findings(placed, slurm, in_script),
    )
    return errors or PlacedJob(
        job=job,
        plan=plan,
        slurm=slurm,
        options=options,
        placement=placed,
        directives=tuple(directives),
        in_script=in_script,
    )


def render_placed(made: PlacedJob, catalog: Catalog) -> RenderedJob:
    """Its script, commands and warnings."""
    job, slurm, options, placed = made.job, made.slurm, made.options, made.placement
    host = job_host(placed.group, made.plan, slurm, catalog)
    folder = python_environment(job, host, options)
    variables = {**({VIRTUAL_ENVIRONMENT: folder} if folder else {}), **options.variables}
    script = _script(job, made.directives, options, variables)
    user = slurm.login.start.image_user or "root"
    amounts = node_amounts(placed, catalog)
    command = _command(slurm, script, user, _folder(placed, options))
    commands = node_commands(slurm, command, made.plan.region)
    return RenderedJob(
        script=script,
        submission=_submission(slurm, command, commands),
        commands=commands,
        file_name=script_name(job),
        group=placed.group.name,
        queue=placed.queue.name,
        nodes=placed.nodes,
        devices=placed.devices,
        usable_memory=amounts.usable_memory,
        most_memory=amounts.memory,
        findings=(
            *other_nodes(placed, slurm, options),
            *uncertain_amounts(placed, made.in_script, catalog),
            *effect_findings(options, made.in_script, catalog.slurm_options["sbatch"]),
            *framework_warnings(job, host, options),
            *credential_findings(placed.group, options),
        ),
    )


def _without(job: Job, findings: tuple[JobFinding, ...]) -> RenderedJob:
    return RenderedJob("", None, (), script_name(job), "", "", 0, 0, findings)


def _script(job: Job, directives: Sequence[str], options: JobOptions, variables: dict[str, str]) -> str:
    """The bundled script: directives of one name replaced, variables and arguments set before the first command."""
    names = _replaced(directives)
    lines = bundled_script(job).splitlines()
    kept = [line for line in lines if not (line.startswith(DIRECTIVE) and _option_name(line) in names)]
    last = max(number for number, line in enumerate(kept) if line.startswith(DIRECTIVE))
    settings = [f"export {name}={shlex.quote(value)}" for name, value in variables.items()]
    if options.arguments:
        settings.append(f"set -- {shlex.join(options.arguments)}")
    added = [*(f"{DIRECTIVE}{directive}" for directive in directives), *settings]
    return "\n".join([*kept[: last + 1], *added, *kept[last + 1 :]]) + "\n"


def _values(job: Job, directives: Sequence[str]) -> dict[str, str]:
    """The options of sbatch that the script has in the end."""
    replaced = _replaced(directives)
    kept = {name: value for name, value in bundled_options(job).items() if name not in replaced}
    return kept | {name: value for name, _, value in (each.partition("=") for each in directives)}


def _replaced(directives: Sequence[str]) -> set[str]:
    """Names of options that the bundled script loses: sbatch ends at two of those for memory."""
    names = {directive.partition("=")[0] for directive in directives}
    return names | (set(OF_MEMORY) if names.intersection(OF_MEMORY) else set())


def _option_name(line: str) -> str:
    return line.removeprefix(DIRECTIVE).partition("=")[0]


def _directives(job: Job, placed: Placement, catalog: Catalog, options: JobOptions) -> list[str]:
    """With the type of its devices, a job runs only on nodes of that Neuron chip."""
    row = catalog.instance_types.get(placed.group.machine.instance_type)
    chip = f"{placed.group.gres.chip}:" if placed.group.gres is not None else ""
    return [
        f"--partition={placed.queue.name}",
        f"--nodes={placed.nodes}",
        f"--gpus-per-node={chip}{placed.devices}",
        *(node_share(job, placed, row, options, catalog) if row is not None else []),
        *([f"--time={options.time}"] if options.time is not None else []),
        *(_quoted(option) for option in options.scheduler_options),
    ]


def _quoted(option: str) -> str:
    """sbatch splits a directive into words as a shell does, but a backslash quotes in quotes too."""
    name, equals, value = option.partition("=")
    quoted = shlex.quote(value).replace("\\", "\\\\") if equals else ""
    return f"{name}{equals}{quoted}"


def _folder(placed: Placement, options: JobOptions) -> str | None:
    """Returns the folder of the job and its log: the home of the AMI's user is on each node's disk and ends with it."""
    is_given = any(option.partition("=")[0] == "--chdir" for option in options.scheduler_options)
    return NODE_LUSTRE.folder if placed.group.start.has_lustre and not is_given else None


def _command(slurm: SlurmCluster, script: str, user: str, chdir: str | None) -> str:
    """sbatch reads the script from its input, as ``user``; the job runs in the folder ``chdir``."""
    encoded = base64.b64encode(script.encode()).decode()
    sbatch = f"{slurm.login.start.node.slurm_commands}/sbatch"
    in_folder = f" --chdir={chdir}" if chdir is not None else ""
    return f"echo {encoded} | base64 --decode | sudo -iu {user} {sbatch}{in_folder}"


def _submission(slurm: SlurmCluster, command: str, commands: tuple[str, ...]) -> NodeCommand | SessionCommand:
    list_jobs = f"{slurm.login.start.node.slurm_commands}/squeue"
    if slurm.login_tag is not None:
        return NodeCommand("Slurm", slurm.login_tag, command, JOB_ID, list_jobs)
    script = "\n".join(("set -euo pipefail", *commands))
    return SessionCommand("Slurm", f"the login nodes of {slurm.name}", script, JOB_ID, list_jobs)


def node_commands(slurm: SlurmCluster, command: str, region: str) -> tuple[str, ...]:
    """Commands that run another one as root on a login node, which has no public address."""
    find = f"LOGIN=$({slurm.find_login_node(region)})"
    if slurm.login_tag is None:
        given = shlex.quote(json.dumps({"command": [command]}))
        session = f'aws ssm start-session --region {region} --target "$LOGIN"'
        return (find, f"{session} --document-name AWS-StartNonInteractiveCommand --parameters {given}")
    parameters = json.dumps({"commands": [command]})
    of_command = '--command-id "$COMMAND" --instance-id "$LOGIN"'
    send = (
        f'aws ssm send-command --region {region} --instance-ids "$LOGIN" --document-name AWS-RunShellScript '
        f"--parameters {shlex.quote(parameters)} --query Command.CommandId --output text"
    )
    return (
        find,
        f"COMMAND=$({send})",
        f"aws ssm wait command-executed --region {region} {of_command}",
        f"aws ssm get-command-invocation --region {region} {of_command} {RESULT} --output text",
    )
