"""The pack of a team on a cluster without Kubernetes: the pages of its provider, with people, sign-in and jobs."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from neuron_cluster.findings.text import listed
from neuron_cluster.handover.command_place import command_place
from neuron_cluster.handover.login import sign_ins
from neuron_cluster.handover.people import people_section
from neuron_cluster.opened_environment import OpenedEnvironment
from neuron_cluster.pages.document import Commands, Document, Paragraph, Section
from neuron_cluster.pages.html_page import html_of
from neuron_cluster.pages.markdown import markdown_of
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.team import Team
from neuron_cluster.protocol.team_pack import PAGE, README, RUNBOOK, CommandPlace, MissingJob, Pack, PackJob
from neuron_cluster.protocol.team_pages import MissingScript, StarterScript, TeamPages
from neuron_cluster.table import Table

ASK = "Ask the contact of this page whether the cluster can have what it needs."


def build_cluster_pack(opened: OpenedEnvironment, team: Team, pages: TeamPages) -> Pack:
    plan = opened.plan
    page = _page(plan, team, pages, command_place(opened))
    lead = f"For {pages.cluster}. {pages.commands_are_for}"
    failures = Document(f"Runbook of team {team.name} on {plan.name}", lead, pages.failures)
    texts = {each.file_name: each.text for each in pages.scripts if isinstance(each, StarterScript)}
    return Pack(
        plan=plan,
        team=team,
        files={README: markdown_of(page), PAGE: html_of(page), RUNBOOK: markdown_of(failures), **texts},
        jobs={each.file_name: _job(each) for each in pages.scripts},
    )


def _job(script: StarterScript | MissingScript) -> PackJob | MissingJob:
    if isinstance(script, MissingScript):
        return MissingJob(script.reasons)
    return PackJob(
        group=script.group,
        queue=script.queue,
        nodes=script.nodes,
        devices=script.devices,
        note=script.note.replace("`", ""),
    )


def _page(plan: ClusterPlan, team: Team, pages: TeamPages, place: CommandPlace) -> Document:
    lead = (
        f"How team {team.name} uses {pages.cluster} with Neuron SDK {plan.neuron_sdk}, account {plan.account}, Region "
        f"{plan.region}. Written by `neuron-cluster onboard`: write it again after an edit of the environment file."
    )
    sections = (
        people_section(team),
        Section("Sign in to AWS", tuple(_sign_in(plan, team))),
        *pages.sections,
        Section("Starter jobs", tuple(_starter_jobs(pages, place))),
        Section("Failures and leaving", tuple(_closing(team, pages))),
    )
    return Document(f"Team {team.name} on {plan.name}", lead, sections)


def _sign_in(plan: ClusterPlan, team: Team) -> Iterator[Paragraph | Commands]:
    found = tuple(sign_ins(plan, team))
    if not found:
        yield Paragraph("The team has no members yet: list IAM roles or permission sets in `teams` and deploy first.")
        return
    yield Paragraph("Install the AWS CLI version 2.")
    for login in found:
        yield Paragraph(login.sentence)
        yield Commands((*login.commands, f"export AWS_PROFILE={login.profile}"))


def _starter_jobs(pages: TeamPages, place: CommandPlace) -> Iterator[Paragraph | Table | Commands]:
    made = [each for each in pages.scripts if isinstance(each, StarterScript)]
    rows = tuple(
        (f"[{each.file_name}]({each.file_name})", f"`{each.queue}`", each.group, str(each.nodes), str(each.devices))
        for each in made
    )
    if rows:
        yield Table("Sizes", ("file", "queue", "nodes of", "nodes", "devices of a node"), rows)
    for each in pages.scripts:
        if isinstance(each, MissingScript):
            yield Paragraph(f"There is no {each.file_name}: {'; '.join(each.causes)}. {ASK}")
    if made:
        yield Paragraph(f"These commands print the same files. Run them {place.text}. {pages.options_note}")
        yield Commands(tuple(_render_command(each, place) for each in made))


def _render_command(script: StarterScript, place: CommandPlace) -> str:
    return f"neuron-cluster workload render {script.job} {place.environment} {shlex.join(script.options)}"


def _closing(team: Team, pages: TeamPages) -> Iterator[Paragraph]:
    yield Paragraph(f"[{RUNBOOK}]({RUNBOOK}) has the commonest failures, with commands.")
    removed = listed(f"{part.kind} `{part.name}`" for part in pages.departure.removed)
    kept = listed(f"{part.kind} `{part.name}`" for part in pages.departure.all_kept)
    yield Paragraph(
        f"When the team leaves, the next deploy removes: {removed}. Until an administrator deletes it, this stays: "
        f"{kept}. `neuron-cluster offboard` with `--team {team.name}` lists both."
    )
