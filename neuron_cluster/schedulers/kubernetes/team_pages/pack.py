"""The pack of a team in a Kubernetes cluster: its page, runbook, and jobs from the bundled charts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import yaml
from msgspec import to_builtins

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.findings.finding import Finding, has_error, in_reading_order
from neuron_cluster.pages.html_page import html_of
from neuron_cluster.pages.markdown import markdown_of
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.plan.team import Team
from neuron_cluster.protocol.scheduler import Environment
from neuron_cluster.protocol.team_pack import PAGE, README, RUNBOOK, CommandPlace, MissingJob, Pack, PackJob
from neuron_cluster.schedulers.kubernetes.manifest_rules.run import check_manifests
from neuron_cluster.schedulers.kubernetes.team_pages.guide import (
    INTERACTIVE,
    SERVING,
    SMOKE_TEST,
    TRAINING,
    HandOver,
    guide,
)
from neuron_cluster.schedulers.kubernetes.team_pages.job_size import (
    one_device,
    one_node,
    shell_share,
    starter_share,
    training_size,
)
from neuron_cluster.schedulers.kubernetes.team_pages.own_jobs import shell_job, smoke_test
from neuron_cluster.schedulers.kubernetes.team_pages.runbook import runbook
from neuron_cluster.schedulers.kubernetes.team_pages.shares import group_shares, own_groups
from neuron_cluster.schedulers.kubernetes.team_pages.starter_jobs import (
    BEYOND_QUOTA,
    NoJob,
    StarterJob,
    one_device_job,
    render_command,
    serving_job,
    training_job,
)
from neuron_cluster.schedulers.kubernetes.team_pages.team_storage import claims_of
from neuron_cluster.schedulers.kubernetes.workloads.queue_selection import pod_security_in
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.evaluation import schedule_of
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.software_pods import software_pods
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.user_pods import user_pods

Objects = tuple[Mapping[str, Any], ...]
NO_GROUP = "no node group with Neuron devices has a queue that the team may use"
NO_SHARE = NoJob((NO_GROUP,), (NO_GROUP,))


class KubernetesPack(Pack, frozen=True, kw_only=True):
    """``hand_over`` is what its pages are written from."""

    hand_over: HandOver


class _Dumper(yaml.SafeDumper):
    """Programs in ConfigMaps stay readable: a block for each text of several lines, and no aliases."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - of the class that it extends
        return True


def _text(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


def build_kubernetes_pack(
    environment: Environment,
    cluster: KubernetesPlan,
    team: Team,
    catalog: Catalog,
    place: CommandPlace,
    others: Mapping[str, str] | None = None,
) -> KubernetesPack:
    """Renders and checks all jobs. ``others`` has other clusters of the team by the path of their page.

    Raises ``InvalidEnvironment`` where an object has an error.
    """
    hand_over = _hand_over(environment, cluster, team, catalog, place, others or {})
    jobs, findings = _jobs(hand_over, environment, catalog)
    page, failures = guide(hand_over, catalog), runbook(hand_over)
    return KubernetesPack(
        plan=environment.plan,
        team=team,
        files={README: markdown_of(page), PAGE: html_of(page), RUNBOOK: markdown_of(failures), **jobs},
        jobs={name: _pack_job(job) for name, job in _jobs_of(hand_over).items()},
        findings=tuple(in_reading_order(findings)),
        hand_over=hand_over,
    )


def _jobs_of(pack: HandOver) -> Mapping[str, StarterJob | NoJob]:
    return {TRAINING: pack.training, SERVING: pack.serving, INTERACTIVE: pack.one_device, SMOKE_TEST: pack.one_device}


def _pack_job(job: StarterJob | NoJob) -> PackJob | MissingJob:
    if isinstance(job, NoJob):
        return MissingJob(job.reasons)
    size = job.size
    return PackJob(
        group=size.share.group.name,
        queue=size.share.queue,
        nodes=size.nodes,
        devices=size.devices,
        note=size.note,
        namespace=job.namespace,
    )


def _hand_over(
    environment: Environment,
    cluster: KubernetesPlan,
    team: Team,
    catalog: Catalog,
    place: CommandPlace,
    others: Mapping[str, str],
) -> HandOver:
    shares, own = group_shares(cluster, team, catalog), own_groups(cluster, team, catalog)
    share, of_servers = starter_share(shares), starter_share(own or shares)
    training: StarterJob | NoJob = NO_SHARE
    serving: StarterJob | NoJob = NO_SHARE
    small: StarterJob | NoJob = NO_SHARE
    of_shell = shell_share(shares)
    if share is not None:
        training = training_job(environment, cluster, training_size(share, cluster, catalog))
    if of_shell is not None:
        small = one_device_job(environment, cluster, one_device(of_shell))
    if of_servers is not None:
        serving = serving_job(environment, cluster, one_node(of_servers))
    return HandOver(environment.plan, cluster, team, place, shares, own, training, serving, small, others)


def _jobs(pack: HandOver, environment: Environment, catalog: Catalog) -> tuple[dict[str, str], list[Finding]]:
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
    findings += _checked(pack, {name: made for name, (_, made) in objects.items()}, environment, catalog)
    if has_error(findings):
        raise InvalidEnvironment(findings)
    head = f"# Team {pack.team.name} on {pack.plan.name}, written by `neuron-cluster onboard`."
    return {name: f"{head}\n# {about}\n{yaml_of(made)}" for name, (about, made) in objects.items()}, findings


def _checked(
    pack: HandOver, files: Mapping[str, Objects], environment: Environment, catalog: Catalog
) -> Iterable[Finding]:
    """Yields findings of the manifest rules and of the scheduler model, without those that the charts repeat."""
    if not files:
        return
    for name, made in files.items():
        home = str(made[0]["metadata"]["namespace"])
        level = pod_security_in(pack.cluster, home, otherwise="restricted")
        yield from check_manifests(made, source=name, namespace=home, pod_security=level)
    software = software_pods(pack.plan, catalog, str(environment.project.root))
    digests = environment.lock.images if environment.lock is not None else {}
    user = user_pods("the starter jobs", [(name, list(made)) for name, made in files.items()])
    for finding in schedule_of(pack.plan, catalog, software, user, digests).findings:
        if has_error([finding]) and finding.id not in BEYOND_QUOTA:
            yield finding


def yaml_of(objects: Objects) -> str:
    """One document for each object."""
    documents = (
        yaml.dump(to_builtins(body), Dumper=_Dumper, sort_keys=False, width=120, allow_unicode=True) for body in objects
    )
    return "".join(f"---\n{each}" for each in documents)
