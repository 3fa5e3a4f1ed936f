"""All files of the hand-over pack of a team, as text by path."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import yaml
from msgspec import Struct, to_builtins

from neuron_cluster.catalog.catalog import Catalog, load_catalog
from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.findings.finding import Finding, has_error, in_reading_order
from neuron_cluster.handover.command_place import command_place
from neuron_cluster.handover.guide import INTERACTIVE, RUNBOOK, SERVING, SMOKE_TEST, TRAINING, HandOver, guide
from neuron_cluster.handover.job_size import one_device, one_node, starter_share, training_size
from neuron_cluster.handover.own_jobs import shell_job, smoke_test
from neuron_cluster.handover.runbook import runbook
from neuron_cluster.handover.shares import group_shares, own_groups
from neuron_cluster.handover.starter_jobs import (
    NoJob,
    StarterJob,
    one_device_job,
    render_command,
    serving_job,
    training_job,
)
from neuron_cluster.handover.team_storage import claims_of
from neuron_cluster.manifest_rules.run import check_manifests
from neuron_cluster.opened_environment import OpenedEnvironment
from neuron_cluster.pages.html_page import html_of
from neuron_cluster.pages.markdown import markdown_of
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.plan.team import Team
from neuron_cluster.workloads.queue_selection import pod_security_in
from neuron_cluster.workloads.scheduling.evaluation import schedule_of
from neuron_cluster.workloads.scheduling.software_pods import software_pods
from neuron_cluster.workloads.scheduling.user_pods import user_pods

Objects = tuple[Mapping[str, Any], ...]
NO_GROUP = "no node group with Neuron devices has a queue that the team may use"
NO_SHARE = NoJob((NO_GROUP,), (NO_GROUP,))


class Pack(Struct, frozen=True):
    """``files`` by path in the folder; ``findings`` are warnings about the jobs."""

    hand_over: HandOver
    files: Mapping[str, str]
    findings: tuple[Finding, ...]


class _Dumper(yaml.SafeDumper):
    """Programs in ConfigMaps stay readable: a block for each text of several lines, and no aliases."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - of the class that it extends
        return True


def _text(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


def build_pack(opened: OpenedEnvironment, cluster: KubernetesPlan, team: Team) -> Pack:
    """Renders and checks all jobs. Raises ``InvalidEnvironment`` where an object has an error."""
    catalog = load_catalog()
    hand_over = _hand_over(opened, cluster, team, catalog)
    jobs, findings = _jobs(hand_over, opened, catalog)
    page, failures = guide(hand_over, catalog), runbook(hand_over)
    files = {
        "README.md": markdown_of(page),
        "index.html": html_of(page),
        RUNBOOK: markdown_of(failures),
        **jobs,
    }
    return Pack(hand_over, files, tuple(in_reading_order(findings)))


def _hand_over(opened: OpenedEnvironment, cluster: KubernetesPlan, team: Team, catalog: Catalog) -> HandOver:
    shares, own = group_shares(cluster, team, catalog), own_groups(cluster, team, catalog)
    share, of_servers = starter_share(shares), starter_share(own or shares)
    training: StarterJob | NoJob = NO_SHARE
    serving: StarterJob | NoJob = NO_SHARE
    small: StarterJob | NoJob = NO_SHARE
    if share is not None:
        training = training_job(opened, cluster, training_size(share, cluster, catalog))
        small = one_device_job(opened, cluster, one_device(share))
    if of_servers is not None:
        serving = serving_job(opened, cluster, one_node(of_servers))
    return HandOver(opened.plan, cluster, team, command_place(opened), shares, own, training, serving, small)


def _jobs(pack: HandOver, opened: OpenedEnvironment, catalog: Catalog) -> tuple[dict[str, str], list[Finding]]:
    """The files of the jobs, and what was found in them."""
    objects: dict[str, tuple[str, Objects]] = {}
    findings: list[Finding] = []
    for name, job in ((TRAINING, pack.training), (SERVING, pack.serving)):
        if isinstance(job, StarterJob):
            objects[name] = (f"The same objects: {render_command(job, pack.place.environment)}", job.objects)
            findings += job.findings
    if isinstance(pack.one_device, StarterJob):
        mounts = [each.mount for each in claims_of(pack.plan, pack.cluster, pack.one_device.namespace)]
        objects[INTERACTIVE] = ("A shell with one Neuron device.", shell_job(pack.one_device, mounts))
        objects[SMOKE_TEST] = ("Lists one Neuron device and the claims.", smoke_test(pack.one_device, mounts))
    findings += _checked(pack, {name: made for name, (_, made) in objects.items()}, opened, catalog)
    if has_error(findings):
        raise InvalidEnvironment(findings)
    head = f"# Team {pack.team.name} on {pack.plan.name}, written by `neuron-cluster onboard`."
    return {name: f"{head}\n# {about}\n{yaml_of(made)}" for name, (about, made) in objects.items()}, findings


def _checked(
    pack: HandOver, files: Mapping[str, Objects], opened: OpenedEnvironment, catalog: Catalog
) -> Iterable[Finding]:
    """By the manifest rules and by the scheduler model. Findings that the charts repeat are left out."""
    if not files:
        return
    for name, made in files.items():
        home = str(made[0]["metadata"]["namespace"])
        level = pod_security_in(pack.cluster, home, otherwise="restricted")
        yield from check_manifests(made, source=name, namespace=home, pod_security=level)
    software = software_pods(pack.plan, catalog, str(opened.project.root))
    digests = opened.lock.images if opened.lock is not None else {}
    user = user_pods("the starter jobs", [(name, list(made)) for name, made in files.items()])
    for finding in schedule_of(pack.plan, catalog, software, user, digests).findings:
        if has_error([finding]):
            yield finding


def yaml_of(objects: Objects) -> str:
    """One document for each object."""
    documents = (
        yaml.dump(to_builtins(body), Dumper=_Dumper, sort_keys=False, width=120, allow_unicode=True) for body in objects
    )
    return "".join(f"---\n{each}" for each in documents)
