"""The pages of one team: its jobs, what its members may do, and where their data is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.pages.document import Commands, Facts, Paragraph, Section, Steps
from neuron_cluster.protocol.team_departure import DepartureStep, Part, TeamDeparture
from neuron_cluster.protocol.team_pages import MissingScript, StarterScript, TeamPages
from neuron_cluster.schedulers.sagemaker.sagemaker_plan import owner_prefix
from neuron_cluster.schedulers.sagemaker.stack_outputs import policy_output
from neuron_cluster.schedulers.sagemaker.workload import request_text
from neuron_cluster.table import Table

if TYPE_CHECKING:
    from neuron_cluster.plan.cluster_plan import ClusterPlan
    from neuron_cluster.plan.team import Team
    from neuron_cluster.schedulers.sagemaker.sagemaker_plan import SageMakerTrainingPlan, TrainingJobPlan

JOB = "JOB"
"""The name of a training job in commands, which a member fills in."""


def training_pages(plan: ClusterPlan, training: SageMakerTrainingPlan, team: Team) -> TeamPages:
    """Sections of a team of ``teams``, which has a role and a policy of its own."""
    jobs = training.jobs_of(team.name)
    return TeamPages(
        cluster=f"training jobs of SageMaker in {plan.region}",
        sections=(_rights(training, team), _data(team), *_first_job(plan, jobs)),
        commands_are_for="The commands are for your machine, with the profile of the team.",
        options_note="Size, time limit and program are in the environment file.",
        scripts=tuple(_scripts(plan, training, jobs)),
        failures=tuple(_failures(plan)),
        departure=_departure(plan, team),
    )


def _rights(training: SageMakerTrainingPlan, team: Team) -> Section:
    output = policy_output(team.name)
    return Section(
        "What you may do",
        (
            Paragraph(
                f"The policy in the output `{output}` of the stack `{training.stack_name}` lets its holders submit, "
                "follow and stop jobs of the team, with the role of the team alone. An administrator attaches it to "
                "the role that you sign in with. Logs of training jobs are in one log group of the account: readers "
                "see those of all teams."
            ),
        ),
    )


def _data(team: Team) -> Section:
    prefix = owner_prefix(team.name)
    facts = (
        ("checkpoints of a job", f"`{prefix}{JOB}/checkpoints/` in the checkpoint bucket"),
        ("output of a job", f"`{prefix}{JOB}/output/`"),
        ("in the container", "`/opt/ml/checkpoints`, copied to S3 while the job runs"),
    )
    return Section("Where your data is", (Facts(facts),))


def _first_job(plan: ClusterPlan, jobs: tuple[TrainingJobPlan, ...]) -> Iterator[Section]:
    if not jobs:
        text = "The file has no job of the team: an administrator adds one to `sagemaker_training.jobs`."
        yield Section("First job", (Paragraph(text),))
        return
    name = jobs[0].name
    steps = (
        ("Try the launcher on your machine.", (f"neuron-cluster workload rehearse {name} {plan.name}",)),
        ("Submit the job.", (f"neuron-cluster workload submit {name} {plan.name} --job-name {name}-1",)),
        ("Follow it.", (f"neuron-cluster workload status {name}-1 {plan.name}", *_logs(plan, f"{name}-1"))),
        (
            "Stop it; the next submission resumes from its checkpoint.",
            (f"neuron-cluster workload stop {name}-1 {plan.name}",),
        ),
    )
    yield Section("First job", (Steps(steps),))


def _logs(plan: ClusterPlan, job: str) -> tuple[str, ...]:
    return (f"neuron-cluster workload logs {job} {plan.name}",)


def _scripts(
    plan: ClusterPlan, training: SageMakerTrainingPlan, jobs: tuple[TrainingJobPlan, ...]
) -> Iterator[StarterScript | MissingScript]:
    for job in jobs:
        yield StarterScript(
            job=job.name,
            file_name=f"{job.name}.json",
            text=request_text(job, training, plan, f"{job.name}-1"),
            options=("--job-name", f"{job.name}-1"),
            group=job.instance_type,
            queue=job.purchase.display_name,
            nodes=job.instances,
            devices=job.devices,
        )


def _failures(plan: ClusterPlan) -> Iterator[Section]:
    rows = (
        ("`ResourceLimitExceeded`", "the quota of the type is too small", "ask the contact of the page"),
        ("`ResourceInUse`", "a training job of this name exists, maybe ended", "use another `--job-name`"),
        ("`AccessDeniedException`", "your role has no policy of the team", "ask the contact of the page"),
    )
    yield Section("1. A job is not accepted", (Table("Signs", ("sign", "meaning", "what to do"), rows),))
    yield Section(
        "2. A job ended",
        (Commands((f"neuron-cluster workload status {JOB} {plan.name}", *_logs(plan, JOB))),),
    )


def _departure(plan: ClusterPlan, team: Team) -> TeamDeparture:
    prefix = owner_prefix(team.name)
    return TeamDeparture(
        removed=(
            Part("role of training jobs", team.name, "jobs that run lose their rights"),
            Part("policy of members", policy_output(team.name), "a role that has it prevents its deletion"),
        ),
        kept=(Part("objects of the checkpoint bucket", prefix, "checkpoints, output and launchers"),),
        before=(
            DepartureStep(
                "See what still runs, and stop it.",
                (f"neuron-cluster workload list {plan.name} --running",),
            ),
        ),
        after=(),
    )
